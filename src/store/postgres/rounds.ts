import type { ListStore } from '../lists.ts'
import { viewOf } from '../page.ts'
import { CLOSING_EVENTS, endedBy, roundView, type RoundRow } from '../rows/round-row.ts'
import type { Base } from './base.ts'
import { MAX_SEQ } from './read-events.ts'

export const ROUND = `r.request_id AS "requestId", r.session_id AS "sessionId", r.state, r.protocol, r.mode, r.model,
  r.waiting_for AS "waitingFor", r.start_seq AS "startSeq", r.end_seq AS "endSeq", r.usage, r.cost,
  r.finish_reason AS "finishReason", r.started_at AS "startedAt", r.ended_at AS "endedAt"`
/** Leaves out messages that were cancelled while they waited, whose row has a single event. */
export const STARTED = 'r.end_seq IS DISTINCT FROM r.start_seq'
const SELECT = `SELECT ${ROUND} FROM rounds r JOIN sessions s ON s.id = r.session_id AND s.deleted = 0`

const BY_REQUEST = `${SELECT} WHERE r.request_id = $1`
const OF_SESSION = `${SELECT} WHERE r.session_id = $1 ORDER BY r.start_seq DESC LIMIT $2`
const DUE = `SELECT s.id FROM rounds r JOIN sessions s ON s.id = r.session_id AND s.deleted = 0
  WHERE r.waiting_until <= $1`
const MY_DUE = `${DUE} AND EXISTS (SELECT FROM heads h WHERE h.session_id = r.session_id AND h.owner = $2)`
/** Includes deleted parents; `last` is the end of the part of the log in which the round started. */
const INHERITED = `SELECT ${ROUND}, part.last FROM rounds r JOIN lineage($1, ${MAX_SEQ}) part ON part.id = r.session_id
  AND r.start_seq BETWEEN part.first AND part.last
  WHERE r.request_id = $2 AND EXISTS (SELECT FROM sessions WHERE id = $1 AND deleted = 0)`
/** The last start in the last part of the log that has any. */
const LAST_START = `SELECT ${ROUND}, part.last FROM lineage($1, $2) part
  CROSS JOIN LATERAL (SELECT * FROM rounds r WHERE r.session_id = part.id
    AND r.start_seq BETWEEN part.first AND part.last AND ${STARTED} ORDER BY r.start_seq DESC LIMIT 1) r
  WHERE EXISTS (SELECT FROM sessions WHERE id = $1 AND deleted = 0) ORDER BY part.first DESC LIMIT 1`

type InPiece = RoundRow & { last: number }
type Lists = Pick<ListStore, 'round' | 'roundIn' | 'roundAt' | 'rounds' | 'dueRounds'>

export function roundLists({ query, events, node }: Base): Lists {
  return {
    round: async (requestId) => viewOf((await query<RoundRow>(BY_REQUEST, [requestId]))[0], roundView),
    async dueRounds(now, whose = 'all') {
      const mine = whose === 'mine'
      const due = await query<{ id: string }>(mine ? MY_DUE : DUE, mine ? [now, node.id()] : [now])
      return due.map(({ id }) => id)
    },
    async roundIn(sessionId, requestId) {
      const [row] = await query<InPiece>(INHERITED, [sessionId, requestId])
      if (!row) return undefined
      const { last, ...found } = row
      const round = { ...roundView(found), sessionId }
      const isOver = found.sessionId === sessionId || (found.endSeq !== null && found.endSeq <= last)
      if (isOver) return round
      return endedBy(round, (await events(sessionId, { after: last, limit: CLOSING_EVENTS })).events)
    },
    async roundAt(sessionId, seq) {
      const [row] = await query<InPiece>(LAST_START, [sessionId, Math.min(seq, MAX_SEQ)])
      if (!row) return undefined
      const { last, ...round } = row
      // A round that ended after the fork point was still open for the fork.
      const over = round.endSeq !== null && round.endSeq <= last && round.endSeq < seq
      return over ? undefined : roundView(round)
    },
    rounds: async (sessionId, limit = 100) => (await query<RoundRow>(OF_SESSION, [sessionId, limit])).map(roundView),
  }
}
