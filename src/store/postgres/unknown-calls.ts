import type { ListStore } from '../lists.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import { unknownCallView, type UnknownCallRow } from '../rows/unknown-call-row.ts'
import type { Base } from './base.ts'

const SELECT = `SELECT c.num AS place, c.call_id AS "callId", c.session_id AS "sessionId", c.request_id AS "requestId",
  c.tool, c.signature, c.outcome, c.effect, c.ended_at AS "endedAt", c.reconciled FROM calls c`
// A fork that closed its parent's open call has its own row with a higher session number.
const BY_ID = `${SELECT} JOIN sessions s ON s.id = c.session_id WHERE c.call_id = $1 ORDER BY s.num LIMIT 1`
const OLDEST = `${SELECT} WHERE c.tenant = $1 AND c.owner = $2 AND c.num > $3 AND c.reconciled IS NULL
  ORDER BY c.num LIMIT $4`

/** `num` is the order the calls ended in. */
export function unknownCallLists({ query }: Base): Pick<ListStore, 'unknownCall' | 'unknownCalls'> {
  return {
    unknownCall: async (callId) => viewOf((await query<UnknownCallRow>(BY_ID, [callId]))[0], unknownCallView),
    async unknownCalls({ tenant, owner, limit = 50, cursor }) {
      const rows = await query<UnknownCallRow>(OLDEST, [tenant, owner, parseCursor(cursor, 0), limit + 1])
      return pageOf(rows, limit, unknownCallView, ({ place }) => place)
    },
  }
}
