import type { ListStore } from '../lists.ts'
import { approvalView, type ApprovalRow } from '../rows/approval-row.ts'
import type { Base } from './base.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'

/** A decision that was made in time but is still in the inbox counts as made. */
const IN_INBOX = `LEFT JOIN inputs i ON i.session = a.session AND i.key = 'decision:' || a.id
  AND a.status = 'pending' AND i.at < a.expires_at`
const STATUS = `CASE i.body ->> '$.decision' WHEN 'approve' THEN 'approved' WHEN 'deny' THEN 'denied' ELSE a.status END`
const SELECT = `SELECT a.rowid AS place, a.id, s.id AS sessionId, a.request_id AS requestId, a.call_id AS callId, a.tool,
  a.args, a.target, a.reason, a.rememberable, a.question AS isQuestion, a.shown, ${STATUS} AS status,
  a.requested_at AS requestedAt, a.expires_at AS expiresAt, coalesce(i.body ->> '$.by', a.decided_by) AS decidedBy
  FROM approvals a JOIN sessions s ON s.num = a.session ${IN_INBOX}`

/** Row ids are in the order the approvals were requested. */
export function approvalLists({ db, reading }: Base): Pick<ListStore, 'approval' | 'approvals'> {
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
    approval: (id) => reading(() => viewOf(byId.get(id), approvalView)),
    approvals: ({ tenant, owner, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = parseCursor(cursor, status === 'pending' ? 0 : Number.MAX_SAFE_INTEGER)
        const rows =
          status === 'pending'
            ? pending.all(tenant, owner, place, limit + 1)
            : newest.all(tenant, owner, place, status, status, limit + 1)
        return pageOf(rows as unknown as ApprovalRow[], limit, approvalView, (row) => row.place)
      }),
  }
}
