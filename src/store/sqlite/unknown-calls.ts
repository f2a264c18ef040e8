import type { UnknownCallView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import type { Base } from './base.ts'
import { pageOf, placeAfter, viewOf } from './page.ts'

interface Row extends Omit<UnknownCallView, 'reconciled'> {
  place: number
  reconciled: number | null
}

const SELECT = `SELECT c.rowid AS place, c.call_id AS callId, s.id AS sessionId, c.request_id AS requestId, c.tool,
  c.signature, c.outcome, c.effect, c.ended_at AS endedAt, c.reconciled FROM calls c JOIN sessions s ON s.num = c.session`

/** Rows stand in the order the calls ended. */
export function unknownCallLists({ db, reading }: Base): Pick<ListStore, 'unknownCall' | 'unknownCalls'> {
  // A fork that closed a call its parent had open has a row of its own for it, and a higher number.
  const byId = db.prepare(`${SELECT} WHERE c.call_id = ? ORDER BY c.session LIMIT 1`)
  const oldest = db.prepare(
    `${SELECT} WHERE c.tenant = ? AND c.owner = ? AND c.rowid > ? AND (? IS NULL OR (c.reconciled IS NOT NULL) = ?)
     ORDER BY c.rowid LIMIT ?`,
  )
  return {
    unknownCall: (callId) => reading(() => viewOf(byId.get(callId), view)),
    unknownCalls: ({ tenant, owner, reconciled, limit = 50, cursor }) =>
      reading(() => {
        const settled = reconciled === undefined ? null : Number(reconciled)
        const rows = oldest.all(tenant, owner, placeAfter(cursor, 0), settled, settled, limit + 1)
        return pageOf(rows as unknown as Row[], limit, view, ({ place }) => place)
      }),
  }
}

const view = ({ place: _, reconciled, ...row }: Row): UnknownCallView => ({
  ...row,
  ...(reconciled !== null && { reconciled: reconciled === 1 }),
})
