import type { SessionView } from '../../contract/views.ts'
import { foldCase } from '../../lib/fold-case.ts'
import type { ListStore } from '../lists.ts'
import { sessionView, type SessionRow } from '../rows/session-row.ts'
import { searchWords } from '../search-words.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { pageOf, timeCursor, parseTimeCursor, viewOf } from '../page.ts'
import { STARTED } from './rounds.ts'

/** Only the last started round can be open. */
const SELECT = `SELECT s.num, s.id, s.alias, s.workspace AS workspaceId, s.title, s.model, s.protocol, s.params, p.id AS parentId,
  s.parent_seq AS parentSeq, s.archived, s.created_at AS createdAt, max(s.updated_at, s.used_at) AS updatedAt,
  s.used_at AS usedAt, s.owner, s.tenant, r.request_id AS roundId, r.state AS roundState, r.waiting_for AS waitingFor,
  (SELECT body ->> '$.requestId' FROM inputs WHERE session = s.num AND body ->> '$.kind' = 'message'
   ORDER BY rowid LIMIT 1) AS queuedId
  FROM sessions s LEFT JOIN sessions p ON p.num = s.parent LEFT JOIN rounds r ON r.key =
  (SELECT key FROM rounds r WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)}
   AND ${STARTED} ORDER BY key DESC LIMIT 1)`
/** Not LIKE, which folds only ASCII letters and has wildcards. */
const HAS_WORDS = `(? IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(?) word WHERE instr(folded(s.title), word.value) = 0))`

type Lists = Pick<ListStore, 'session' | 'sessionByAlias' | 'sessions' | 'family'>

export function sessionLists({ db, head, reading }: Base): Lists {
  db.function('folded', { deterministic: true }, (text) => foldCase(String(text)))
  const byId = db.prepare(`${SELECT} WHERE s.id = ? AND s.deleted = 0`)
  const byAlias = db.prepare(`${SELECT} WHERE s.tenant = ? AND s.owner = ? AND s.alias = ? AND s.deleted = 0`)
  const lastUsed = db.prepare(
    `${SELECT} WHERE s.tenant = ? AND s.owner = ? AND s.archived = ? AND s.deleted = 0
     AND (s.used_at, s.num) < (?, ?) AND ${HAS_WORDS} ORDER BY s.used_at DESC, s.num DESC LIMIT ?`,
  )
  // Up to the root of the fork tree, and from there down to every fork.
  const first = db.prepare(
    `WITH RECURSIVE up (num, id, parent) AS (SELECT num, id, parent FROM sessions WHERE id = ?
       UNION ALL SELECT s.num, s.id, s.parent FROM sessions s JOIN up ON s.num = up.parent)
     SELECT num, id FROM up WHERE parent IS NULL`,
  )
  const below = db.prepare(
    `WITH RECURSIVE family (num) AS (VALUES (?) UNION ALL
       SELECT s.num FROM sessions s JOIN family ON s.parent = family.num)
     ${SELECT} WHERE s.num IN family AND s.deleted = 0 ORDER BY s.num`,
  )

  const view = (row: SessionRow): SessionView => sessionView(row, head(row.num, row.parentSeq ?? 0))

  return {
    session: (id) => reading(() => viewOf(byId.get(id), view)),
    sessionByAlias: ({ tenant, id }, alias) => reading(() => viewOf(byAlias.get(tenant, id, alias), view)),
    sessions: ({ tenant, owner, archived, search, limit = 50, cursor }) =>
      reading(() => {
        const before = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : parseTimeCursor(cursor)
        const found = searchWords(search)
        const words = found.length === 0 ? null : JSON.stringify(found)
        // Archived sessions have their own part of the index, so each part is read by itself.
        const rows = (archived === undefined ? [false, true] : [archived]).flatMap(
          (isArchived) =>
            lastUsed.all(
              tenant,
              owner,
              Number(isArchived),
              ...before,
              words,
              words,
              limit + 1,
            ) as unknown as SessionRow[],
        )
        rows.sort((a, b) => b.usedAt - a.usedAt || b.num - a.num)
        return pageOf(rows, limit, view, (row) => timeCursor(row.usedAt, row.num))
      }),
    family: (id) =>
      reading(() => {
        const root = first.get(id) as { num: number; id: string } | undefined
        return root && { root: root.id, items: (below.all(root.num) as unknown as SessionRow[]).map(view) }
      }),
  }
}
