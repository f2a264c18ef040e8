import type { InputBody } from '../../contract/input.ts'
import type { ApprovalView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import { approvalView, type ApprovalRow } from '../rows/approval-row.ts'
import type { Base } from './base.ts'

type Row = ApprovalRow & { decision: string | null }

/** A decision that was made in time but is still in the inbox counts as made. */
const IN_INBOX = `LEFT JOIN LATERAL (SELECT * FROM inputs WHERE session_id = a.session_id AND key = 'decision:' || a.id
  AND a.status = 'pending' AND at < a.expires_at LIMIT 1) i ON true`
const STATUS = `CASE i.decision WHEN 'approve' THEN 'approved' WHEN 'deny' THEN 'denied' ELSE a.status END`
const SELECT = `SELECT a.num AS place, a.id, a.session_id AS "sessionId", a.request_id AS "requestId",
  a.call_id AS "callId", a.tool, a.args, a.target, a.reason, a.rememberable, a.question AS "isQuestion", a.shown,
  ${STATUS} AS status, a.requested_at AS "requestedAt", a.expires_at AS "expiresAt", a.decided_by AS "decidedBy",
  i.body AS decision FROM approvals a ${IN_INBOX}`

const BY_ID = `${SELECT} WHERE a.id = $1 ORDER BY a.num LIMIT 1`
const PENDING = `${SELECT} WHERE a.tenant = $1 AND a.owner = $2 AND a.status = 'pending' AND i.id IS NULL AND a.num > $3
  ORDER BY a.num LIMIT $4`
const NEWEST = `${SELECT} WHERE a.tenant = $1 AND a.owner = $2 AND a.num < $3 AND ($5::text IS NULL OR ${STATUS} = $5)
  ORDER BY a.num DESC LIMIT $4`

/** `num` is the order the approvals were requested in. */
export function approvalLists({ query }: Base): Pick<ListStore, 'approval' | 'approvals'> {
  return {
    approval: async (id) => viewOf((await query<Row>(BY_ID, [id]))[0], view),
    async approvals({ tenant, owner, status, limit = 50, cursor }) {
      const place = parseCursor(cursor, status === 'pending' ? 0 : Number.MAX_SAFE_INTEGER)
      const asked = [tenant, owner, place, limit + 1]
      const rows = status === 'pending' ? query<Row>(PENDING, asked) : query<Row>(NEWEST, [...asked, status ?? null])
      return pageOf(await rows, limit, view, (row) => row.place)
    },
  }
}

function view({ decision, ...row }: Row): ApprovalView {
  if (decision === null) return approvalView(row)
  const { by } = JSON.parse(decision) as Extract<InputBody, { kind: 'decision' }>
  return approvalView({ ...row, decidedBy: by })
}
