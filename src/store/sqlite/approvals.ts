import type { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '../../contract/message.ts'
import type { ApprovalView } from '../../contract/views.ts'
import type { ApprovalQuery, Page } from '../lists.ts'
import { pageOf, placeAfter } from './page.ts'

interface Row {
  place: number
  id: string
  session_id: string
  request_id: string
  call_id: string
  tool: string
  args: string
  target: string
  reason: string
  rememberable: number
  question: number
  status: ApprovalView['status']
  requested_at: number
  expires_at: number
  decided_by: string | null
}

/** What was decided in time and waits for the owner to fold it in counts as decided. */
const IN_INBOX = `LEFT JOIN inputs i ON i.session = a.session AND i.key = 'decision:' || a.id
  AND a.status = 'pending' AND i.at < a.expires_at`
const STATUS = `CASE i.body ->> '$.decision' WHEN 'approve' THEN 'approved' WHEN 'deny' THEN 'denied' ELSE a.status END`
const SELECT = `SELECT a.rowid AS place, a.*, s.id AS session_id, ${STATUS} AS status,
  coalesce(i.body ->> '$.by', a.decided_by) AS decided_by
  FROM approvals a JOIN sessions s ON s.num = a.session ${IN_INBOX}`

/** Rows stand in the order they were asked for. */
export function approvalsIn(db: DatabaseSync) {
  const byId = db.prepare(`${SELECT} WHERE a.id = ?`)
  const pending = db.prepare(
    `${SELECT} WHERE a.tenant = ? AND a.owner = ? AND a.status = 'pending' AND i.id IS NULL AND a.rowid > ?
     ORDER BY a.rowid LIMIT ?`,
  )
  const newest = db.prepare(
    `${SELECT} WHERE a.tenant = ? AND a.owner = ? AND a.rowid < ? AND (? IS NULL OR ${STATUS} = ?)
     ORDER BY a.rowid DESC LIMIT ?`,
  )
  return {
    get(id: string): ApprovalView | undefined {
      const row = byId.get(id) as unknown as Row | undefined
      return row && view(row)
    },
    list({ tenant, owner, status, limit = 50, cursor }: ApprovalQuery): Page<ApprovalView> {
      const rows =
        status === 'pending'
          ? pending.all(tenant, owner, placeAfter(cursor, 0), limit + 1)
          : newest.all(
              tenant,
              owner,
              placeAfter(cursor, Number.MAX_SAFE_INTEGER),
              status ?? null,
              status ?? null,
              limit + 1,
            )
      return pageOf(rows as unknown as Row[], limit, view, ({ place }) => place)
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
    isQuestion: row.question === 1,
    status: row.status,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
  }
}
