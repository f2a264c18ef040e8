import type { JsonObject } from '../../contract/message.ts'
import type { ApprovalView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import type { Base } from './base.ts'
import { pageOf, placeAfter, viewOf } from './page.ts'

interface Row extends Omit<ApprovalView, 'args' | 'rememberable' | 'isQuestion' | 'decidedBy'> {
  place: number
  args: string
  rememberable: number
  isQuestion: number
  decidedBy: string | null
}

/** What was decided in time and waits for the owner to fold it in counts as decided. */
const IN_INBOX = `LEFT JOIN inputs i ON i.session = a.session AND i.key = 'decision:' || a.id
  AND a.status = 'pending' AND i.at < a.expires_at`
const STATUS = `CASE i.body ->> '$.decision' WHEN 'approve' THEN 'approved' WHEN 'deny' THEN 'denied' ELSE a.status END`
const SELECT = `SELECT a.rowid AS place, a.id, s.id AS sessionId, a.request_id AS requestId, a.call_id AS callId, a.tool,
  a.args, a.target, a.reason, a.rememberable, a.question AS isQuestion, ${STATUS} AS status,
  a.requested_at AS requestedAt, a.expires_at AS expiresAt, coalesce(i.body ->> '$.by', a.decided_by) AS decidedBy
  FROM approvals a JOIN sessions s ON s.num = a.session ${IN_INBOX}`

/** Rows stand in the order they were asked for. */
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
    approval: (id) => reading(() => viewOf(byId.get(id), view)),
    approvals: ({ tenant, owner, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = placeAfter(cursor, status === 'pending' ? 0 : Number.MAX_SAFE_INTEGER)
        const rows =
          status === 'pending'
            ? pending.all(tenant, owner, place, limit + 1)
            : newest.all(tenant, owner, place, status, status, limit + 1)
        return pageOf(rows as unknown as Row[], limit, view, (row) => row.place)
      }),
  }
}

const view = ({ place: _, decidedBy, ...row }: Row): ApprovalView => ({
  ...row,
  args: JSON.parse(row.args) as JsonObject,
  rememberable: row.rememberable === 1,
  isQuestion: row.isQuestion === 1,
  ...(decidedBy !== null && { decidedBy }),
})
