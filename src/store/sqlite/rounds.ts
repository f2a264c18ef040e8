import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../contract/event.ts'
import { NO_USAGE, type Usage } from '../../contract/message.ts'
import type { FinishReason, Mode, Protocol } from '../../contract/outcome.ts'
import type { RoundState, RoundView } from '../../contract/views.ts'
import { eventKey } from './event-rows.ts'
import type { Lineage } from './lineage.ts'
import { viewOf } from './page.ts'

export interface RoundRow {
  session_id: string
  request_id: string
  start_seq: number
  end_seq: number | null
  state: RoundState
  waiting_for: string | null
  protocol: Protocol
  mode: Mode
  model: string
  usage: string | null
  cost: number
  finish_reason: FinishReason | null
  started_at: number
  ended_at: number | null
}

const WITH_DELETED = `SELECT r.*, s.id AS session_id FROM rounds r JOIN sessions s ON s.num = r.key / ${eventKey(1, 0)}`
const SELECT = `${WITH_DELETED} AND s.deleted = 0`
/** A message that was cancelled while it waited has a row of its own, which contains no other event. */
export const STARTED = 'r.end_seq IS NOT r.start_seq'
const IN_STATES = '(? IS NULL OR r.state IN (SELECT value FROM json_each(?)))'

export function roundsIn(db: DatabaseSync, lineage: Lineage) {
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

  return {
    get: (requestId: string): RoundView | undefined => viewOf(byRequest.get(requestId), roundView),
    due: (now: number): string[] => (due.all(now) as unknown as RoundRow[]).map(({ session_id }) => session_id),
    at(num: number, seq: number): RoundView | undefined {
      for (const segment of lineage(num, seq).reverse()) {
        const row = lastStart.get(eventKey(segment.num, segment.from), eventKey(segment.num, segment.to)) as unknown as
          | RoundRow
          | undefined
        if (!row) continue
        // Where it ended after the fork point, it was still open for the fork.
        const over = row.end_seq !== null && row.end_seq <= segment.to && row.end_seq < seq
        return over ? undefined : roundView(row)
      }
      return undefined
    },
    /** `openAt`: the fork point, where the round had not ended there. */
    in(num: number, requestId: string): { round: RoundView; openAt?: number } | undefined {
      for (const segment of lineage(num, Infinity)) {
        const from = eventKey(segment.num, segment.from)
        // The last segment is the session itself, which has no end.
        const to = segment.num === num ? eventKey(num + 1, 0) - 1 : eventKey(segment.num, segment.to)
        const row = inherited.get(requestId, from, to) as unknown as RoundRow | undefined
        if (!row) continue
        const isOpen = segment.num !== num && (row.end_seq === null || row.end_seq > segment.to)
        return { round: roundView(row), ...(isOpen && { openAt: segment.to }) }
      }
      return undefined
    },
    list(num: number | undefined, states: readonly RoundState[] | undefined, limit: number): RoundView[] {
      const onlyOpen = states !== undefined && !states.includes('ended')
      const wanted = states === undefined ? null : JSON.stringify(states)
      const rows =
        num !== undefined
          ? ofSession.all(eventKey(num, 0), eventKey(num + 1, 0), wanted, wanted, limit)
          : (onlyOpen ? open : all).all(wanted, wanted, limit)
      return (rows as unknown as RoundRow[]).map(roundView)
    },
  }
}

/** A round with the end that these events give it, and not the one its own session gave it later. */
export function endedBy(round: RoundView, events: readonly StoredEvent[]): RoundView {
  const { endSeq: _, endedAt: __, finishReason: ___, waitingFor: ____, ...open } = round
  const end = events.find((event) => event.type === 'round.ended' && event.requestId === round.requestId)
  if (end?.type !== 'round.ended') return { ...open, state: 'running' }
  const { usage, cost, finishReason } = end.data
  return { ...open, state: 'ended', usage, cost, finishReason, endSeq: end.seq, endedAt: end.at }
}

export function roundView(row: RoundRow): RoundView {
  return {
    requestId: row.request_id,
    sessionId: row.session_id,
    state: row.state,
    protocol: row.protocol,
    mode: row.mode,
    model: row.model,
    ...(row.waiting_for !== null && { waitingFor: row.waiting_for }),
    startSeq: row.start_seq,
    ...(row.end_seq !== null && { endSeq: row.end_seq }),
    usage: row.usage === null ? NO_USAGE : (JSON.parse(row.usage) as Usage),
    cost: row.cost,
    ...(row.finish_reason !== null && { finishReason: row.finish_reason }),
    startedAt: row.started_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  }
}
