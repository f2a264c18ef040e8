import type { RoundPicture } from '../log/round-picture.ts'
import type { SessionLog } from '../log/session-log.ts'

export const roundsIn = (log: SessionLog): RoundPicture[] =>
  log.items.flatMap((item) => (item.kind === 'round' ? [item.round] : []))

/** The number of the last event that says a round began, rests or ended: what was read before it is out of date. */
export const lastRest = (log: SessionLog): number =>
  log.events.findLast(
    ({ type }) => type.startsWith('round.') || type === 'context.cleared' || type === 'message.deleted',
  )?.seq ?? 0
