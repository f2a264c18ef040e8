import type { StoredEvent } from '../../contract/event.ts'
import { NO_USAGE, type Usage } from '../../contract/message.ts'
import type { ListedRound, RoundState, RoundView } from '../../contract/views.ts'
import { withoutNulls } from '../page.ts'

type Lacking = 'waitingFor' | 'endSeq' | 'finishReason' | 'endedAt'
export type RoundRow = Omit<RoundView, Lacking | 'usage'> & { usage: string | null } & {
  [K in Lacking]: NonNullable<RoundView[K]> | null
}

export type ListedRoundRow = RoundRow & { title: string; owner: string }

/** How many events are searched for the end of a round that a fork closed: more than closing one appends. */
export const CLOSING_EVENTS = 100_000

/** Queued messages shown at most, the newest first. */
export const MOST_QUEUED = 200

export function roundView({ usage, ...row }: RoundRow): RoundView {
  return { ...withoutNulls(row), usage: usage === null ? NO_USAGE : (JSON.parse(usage) as Usage) }
}

export const listedRound = ({ owner: userId, title, ...row }: ListedRoundRow): ListedRound => ({
  ...roundView(row),
  userId,
  title,
})

/** The round with the end found in these events instead of its own. */
export function endedBy(round: RoundView, events: readonly StoredEvent[]): RoundView {
  const { endSeq: _, endedAt: __, finishReason: ___, waitingFor: ____, ...open } = round
  const end = events.find((event) => event.type === 'round.ended' && event.requestId === round.requestId)
  if (end?.type !== 'round.ended') return { ...open, state: 'running' }
  const { usage, cost, finishReason } = end.data
  return { ...open, state: 'ended', usage, cost, finishReason, endSeq: end.seq, endedAt: end.at }
}

export const isOpenOnly = ({ states }: { states?: readonly RoundState[] | undefined }): boolean =>
  states !== undefined && !states.includes('ended')
