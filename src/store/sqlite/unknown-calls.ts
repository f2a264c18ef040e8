import type { DatabaseSync } from 'node:sqlite'
import type { Effect, Outcome } from '../../contract/outcome.ts'
import type { UnknownCallView } from '../../contract/views.ts'

interface Row {
  call_id: string
  session_id: string
  request_id: string
  tool: string
  signature: string
  outcome: Outcome
  effect: Effect
  ended_at: number
  reconciled: number | null
}

const SELECT = 'SELECT c.*, s.id AS session_id FROM calls c JOIN sessions s ON s.num = c.session'

export function unknownCallsIn(db: DatabaseSync) {
  const byId = db.prepare(`${SELECT} WHERE c.call_id = ? ORDER BY c.reconciled IS NOT NULL, c.session LIMIT 1`)
  const all = db.prepare(`${SELECT} ORDER BY c.ended_at`)
  return {
    get(callId: string): UnknownCallView | undefined {
      const row = byId.get(callId) as unknown as Row | undefined
      return row && view(row)
    },
    list(reconciled: boolean | undefined): UnknownCallView[] {
      return (all.all() as unknown as Row[])
        .filter((row) => reconciled === undefined || (row.reconciled !== null) === reconciled)
        .map(view)
    },
  }
}

function view(row: Row): UnknownCallView {
  return {
    callId: row.call_id,
    sessionId: row.session_id,
    requestId: row.request_id,
    tool: row.tool,
    signature: row.signature,
    outcome: row.outcome,
    effect: row.effect,
    endedAt: row.ended_at,
    ...(row.reconciled !== null && { reconciled: row.reconciled === 1 }),
  }
}
