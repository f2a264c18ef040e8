import type { ListStore } from '../lists.ts'
import { unknownCallView, type UnknownCallRow } from '../rows/unknown-call-row.ts'
import type { Base } from './base.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'

const SELECT = `SELECT c.rowid AS place, c.call_id AS callId, s.id AS sessionId, c.request_id AS requestId, c.tool,
  c.signature, c.outcome, c.effect, c.ended_at AS endedAt, c.reconciled FROM calls c JOIN sessions s ON s.num = c.session`

/** Row ids are in the order the calls ended. */
export function unknownCallLists({ db, reading }: Base): Pick<ListStore, 'unknownCall' | 'unknownCalls'> {
  // A fork that closed its parent's open call has its own row with a higher session number.
  const byId = db.prepare(`${SELECT} WHERE c.call_id = ? ORDER BY c.session LIMIT 1`)
  const oldest = db.prepare(
    `${SELECT} WHERE c.tenant = ? AND c.owner = ? AND c.rowid > ? AND c.reconciled IS NULL
     ORDER BY c.rowid LIMIT ?`,
  )
  return {
    unknownCall: (callId) => reading(() => viewOf(byId.get(callId), unknownCallView)),
    unknownCalls: ({ tenant, owner, limit = 50, cursor }) =>
      reading(() => {
        const rows = oldest.all(tenant, owner, parseCursor(cursor, 0), limit + 1)
        return pageOf(rows as unknown as UnknownCallRow[], limit, unknownCallView, ({ place }) => place)
      }),
  }
}
