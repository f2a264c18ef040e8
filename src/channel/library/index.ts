export { createFollowing } from './following.ts'
export { handleMessage } from './handle-message.ts'
export { streamRequest, type Following, type RequestOptions, type StreamedRequest } from './stream-request.ts'
export { sessionStreams } from './session-streams.ts'
