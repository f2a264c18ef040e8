export { follow, type FollowOptions } from './follow.ts'
export type { Frame } from './frame-queue.ts'
export { createHub, type Hub } from './hub.ts'
export { pictureRound, type RoundPicture } from './picture-round.ts'
