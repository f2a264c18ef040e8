import type { StoredEvent } from '../../contract/event.ts'
import { NO_USAGE, type Usage } from '../../contract/message.ts'
import type { RoundState, RoundView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { filled, viewOf } from './page.ts'

type Lacking = 'waitingFor' | 'endSeq' | 'finishReason' | 'endedAt'
export type RoundRow = Omit<RoundView, Lacking | 'usage'> & { usage: string | null } & {
  [K in Lacking]: NonNullable<RoundView[K]> | null
}

export const ROUND = `r.request_id AS requestId, s.id AS sessionId, r.state, r.protocol, r.mode, r.model,
  r.waiting_for AS waitingFor, r.start_seq AS startSeq, r.end_seq AS endSeq, r.usage, r.cost,
  r.finish_reason AS finishReason, r.started_at AS startedAt, r.ended_at AS endedAt`
const WITH_DELETED = `SELECT ${ROUND} FROM rounds r JOIN sessions s ON s.num = r.key / ${eventKey(1, 0)}`
const SELECT = `${WITH_DELETED} AND s.deleted = 0`
/** A message that was cancelled while it waited has a row of its own, which contains no other event. */
export const STARTED = 'r.end_seq IS NOT r.start_seq'
const IN_STATES = '(? IS NULL OR r.state IN (SELECT value FROM json_each(?)))'

/** What a fork appends to close a round is a few events for each call that was open: more than any turn can ask for. */
const CLOSING_EVENTS = 100_000

type Lists = Pick<ListStore, 'round' | 'roundIn' | 'roundAt' | 'rounds' | 'dueRounds'>

export function roundLists({ db, lineage, events, reading, rowOf, inLiving }: Base): Lists {
  const byRequest = db.prepare(`${SELECT} WHERE r.request_id = ?`)
  const open = db.prepare(`${SELECT} WHERE r.state <> 'ended' AND ${IN_STATES} ORDER BY r.key LIMIT ?`)
  const all = db.prepare(`${SELECT} WHERE ${IN_STATES} ORDER BY r.started_at DESC LIMIT ?`)
  const ofSession = db.prepare(`${SELECT} WHERE r.key >= ? AND r.key < ? AND ${IN_STATES} ORDER BY r.key DESC LIMIT ?`)
  // A fork also inherits the rounds of a deleted parent.
  const lastStart = db.prepare(
    `${WITH_DELETED} WHERE r.key >= ? AND r.key <= ? AND ${STARTED} ORDER BY r.key DESC LIMIT 1`,
  )
  const due = db.prepare(`${SELECT} WHERE r.waiting_until <= ?`)
  const inherited = db.prepare(`${WITH_DELETED} WHERE r.request_id = ? AND r.key >= ? AND r.key <= ?`)

  /** As a session has it. `openAt`: the fork point, where the round had not ended there. */
  function inherits(num: number, requestId: string): { round: RoundView; openAt?: number } | undefined {
    for (const segment of lineage(num, Infinity)) {
      const from = eventKey(segment.num, segment.from)
      // The last segment is the session itself, which has no end.
      const to = segment.num === num ? eventKey(num + 1, 0) - 1 : eventKey(segment.num, segment.to)
      const row = inherited.get(requestId, from, to) as unknown as RoundRow | undefined
      if (!row) continue
      const isOpen = segment.num !== num && (row.endSeq === null || row.endSeq > segment.to)
      return { round: roundView(row), ...(isOpen && { openAt: segment.to }) }
    }
    return undefined
  }

  function at(num: number, seq: number): RoundView | undefined {
    for (const segment of lineage(num, seq).reverse()) {
      const range = [eventKey(segment.num, segment.from), eventKey(segment.num, segment.to)]
      const row = lastStart.get(...range) as unknown as RoundRow | undefined
      if (!row) continue
      // Where it ended after the fork point, it was still open for the fork.
      const over = row.endSeq !== null && row.endSeq <= segment.to && row.endSeq < seq
      return over ? undefined : roundView(row)
    }
    return undefined
  }

  function list(num: number | undefined, states: readonly RoundState[] | undefined, limit: number): RoundView[] {
    const onlyOpen = states !== undefined && !states.includes('ended')
    const wanted = states === undefined ? null : JSON.stringify(states)
    const rows =
      num !== undefined
        ? ofSession.all(eventKey(num, 0), eventKey(num + 1, 0), wanted, wanted, limit)
        : (onlyOpen ? open : all).all(wanted, wanted, limit)
    return (rows as unknown as RoundRow[]).map(roundView)
  }

  return {
    round: (requestId) => reading(() => viewOf(byRequest.get(requestId), roundView)),
    dueRounds: (now) => reading(() => (due.all(now) as unknown as RoundRow[]).map(({ sessionId }) => sessionId)),
    roundIn: (sessionId, requestId) =>
      inLiving(sessionId, ({ num }) => {
        const found = inherits(num, requestId)
        if (!found) return undefined
        const round = { ...found.round, sessionId }
        if (found.openAt === undefined) return round
        return endedBy(round, events(sessionId, num, { after: found.openAt, limit: CLOSING_EVENTS }).events)
      }),
    roundAt: (sessionId, seq) => inLiving(sessionId, ({ num }) => at(num, seq)),
    rounds: ({ sessionId, states, limit = 100 }) =>
      reading(() => {
        const num = sessionId === undefined ? undefined : rowOf(sessionId)?.num
        return sessionId !== undefined && num === undefined ? [] : list(num, states, limit)
      }),
  }
}

/** A round with the end that these events give it, and not the one its own session gave it later. */
function endedBy(round: RoundView, events: readonly StoredEvent[]): RoundView {
  const { endSeq: _, endedAt: __, finishReason: ___, waitingFor: ____, ...open } = round
  const end = events.find((event) => event.type === 'round.ended' && event.requestId === round.requestId)
  if (end?.type !== 'round.ended') return { ...open, state: 'running' }
  const { usage, cost, finishReason } = end.data
  return { ...open, state: 'ended', usage, cost, finishReason, endSeq: end.seq, endedAt: end.at }
}

export function roundView({ usage, ...row }: RoundRow): RoundView {
  return { ...filled(row), usage: usage === null ? NO_USAGE : (JSON.parse(usage) as Usage) }
}
