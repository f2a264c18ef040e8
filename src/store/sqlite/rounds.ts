import type { RoundView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import { CLOSING_EVENTS, endedBy, roundView, type RoundRow } from '../rows/round-row.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { viewOf } from '../page.ts'

export const ROUND = `r.request_id AS requestId, s.id AS sessionId, r.state, r.protocol, r.mode, r.model,
  r.waiting_for AS waitingFor, r.start_seq AS startSeq, r.end_seq AS endSeq, r.usage, r.cost,
  r.finish_reason AS finishReason, r.started_at AS startedAt, r.ended_at AS endedAt`
const WITH_DELETED = `SELECT ${ROUND} FROM rounds r JOIN sessions s ON s.num = r.key / ${eventKey(1, 0)}`
const SELECT = `${WITH_DELETED} AND s.deleted = 0`
/** Leaves out messages that were cancelled while they waited, whose row has a single event. */
export const STARTED = 'r.end_seq IS NOT r.start_seq'

type Lists = Pick<ListStore, 'round' | 'roundIn' | 'roundAt' | 'rounds' | 'dueRounds'>

export function roundLists({ db, lineage, events, reading, inLiving }: Base): Lists {
  const byRequest = db.prepare(`${SELECT} WHERE r.request_id = ?`)
  const ofSession = db.prepare(`${SELECT} WHERE r.key >= ? AND r.key < ? ORDER BY r.key DESC LIMIT ?`)
  // Includes deleted parents.
  const lastStart = db.prepare(
    `${WITH_DELETED} WHERE r.key >= ? AND r.key <= ? AND ${STARTED} ORDER BY r.key DESC LIMIT 1`,
  )
  const due = db.prepare(`${SELECT} WHERE r.waiting_until <= ?`)
  const inherited = db.prepare(`${WITH_DELETED} WHERE r.request_id = ? AND r.key >= ? AND r.key <= ?`)

  /** `openAt`: the fork point, if the round was still open there. */
  function inherits(num: number, requestId: string): { round: RoundView; openAt?: number } | undefined {
    for (const segment of lineage(num, Infinity)) {
      const from = eventKey(segment.num, segment.from)
      // The last segment is the session itself, which has no upper end.
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
      // A round that ended after the fork point was still open for the fork.
      const over = row.endSeq !== null && row.endSeq <= segment.to && row.endSeq < seq
      return over ? undefined : roundView(row)
    }
    return undefined
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
    rounds: async (sessionId, limit = 100) =>
      (await inLiving(sessionId, ({ num }) => {
        const rows = ofSession.all(eventKey(num, 0), eventKey(num + 1, 0), limit)
        return (rows as unknown as RoundRow[]).map(roundView)
      })) ?? [],
  }
}
