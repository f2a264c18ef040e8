import type { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '../../contract/message.ts'
import type { ApprovalView } from '../../contract/views.ts'

interface Row {
  id: string
  session_id: string
  request_id: string
  call_id: string
  tool: string
  args: string
  target: string
  reason: string
  rememberable: number
  status: ApprovalView['status']
  requested_at: number
  expires_at: number
  decided_by: string | null
}

const SELECT = 'SELECT a.*, s.id AS session_id FROM approvals a JOIN sessions s ON s.num = a.session'

export function approvalsIn(db: DatabaseSync) {
  const byId = db.prepare(`${SELECT} WHERE a.id = ?`)
  const pending = db.prepare(`${SELECT} WHERE a.status = 'pending' ORDER BY a.requested_at`)
  const all = db.prepare(`${SELECT} ORDER BY a.requested_at`)
  return {
    get(id: string): ApprovalView | undefined {
      const row = byId.get(id) as unknown as Row | undefined
      return row && view(row)
    },
    list(status: ApprovalView['status'] | undefined, sessionId: string | undefined): ApprovalView[] {
      const rows = (status === 'pending' ? pending.all() : all.all()) as unknown as Row[]
      return rows
        .filter((row) => (!status || row.status === status) && (!sessionId || row.session_id === sessionId))
        .map(view)
    },
  }
}

function view(row: Row): ApprovalView {
  return {
    id: row.id,
    sessionId: row.session_id,
    requestId: row.request_id,
    callId: row.call_id,
    tool: row.tool,
    args: JSON.parse(row.args) as JsonObject,
    target: row.target,
    reason: row.reason,
    rememberable: row.rememberable === 1,
    status: row.status,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
  }
}
