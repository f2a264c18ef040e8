import type { DatabaseSync } from 'node:sqlite'
import type { Protocol } from '../../contract/outcome.ts'
import type { SessionView } from '../../contract/views.ts'
import type { Page, SessionQuery } from '../store.ts'
import { eventKey } from './event-rows.ts'
import { pageOf, placeAfter } from './page.ts'

export interface SessionRow {
  num: number
  id: string
  epoch: number
  parent: number | null
  parent_seq: number | null
  parent_id: string | null
  tenant: string
  owner: string
  workspace: string
  alias: string | null
  title: string
  model: string | null
  protocol: Protocol | null
  archived: number
  deleted: number
  created_at: number
  updated_at: number
  used_at: number | null
}

/** A session was last used when its last round started: that is a row already, so none is written for it. */
const SELECT = `SELECT s.*, p.id AS parent_id,
  (SELECT started_at FROM rounds WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)}
   ORDER BY key DESC LIMIT 1) AS used_at
  FROM sessions s LEFT JOIN sessions p ON p.num = s.parent`

export function sessionsIn(db: DatabaseSync, headOf: (num: number, parentSeq: number) => number) {
  const byId = db.prepare(`${SELECT} WHERE s.id = ?`)
  const byAlias = db.prepare(`${SELECT} WHERE s.tenant = ? AND s.alias = ? AND s.deleted = 0`)
  const page = db.prepare(
    `${SELECT} WHERE s.tenant = ? AND s.deleted = 0 AND (? IS NULL OR s.owner = ?) AND (? IS NULL OR s.archived = ?)
     AND s.num < ? ORDER BY s.num DESC LIMIT ?`,
  )

  function view(row: SessionRow): SessionView {
    return {
      id: row.id,
      ...(row.alias !== null && { alias: row.alias }),
      workspaceId: row.workspace,
      title: row.title,
      ...(row.model !== null && { model: row.model }),
      ...(row.protocol !== null && { protocol: row.protocol }),
      ...(row.parent_id !== null && { parent: { sessionId: row.parent_id, seq: row.parent_seq ?? 0 } }),
      seq: headOf(row.num, row.parent_seq ?? 0),
      archived: row.archived === 1,
      createdAt: row.created_at,
      updatedAt: Math.max(row.updated_at, row.used_at ?? 0),
      owner: { id: row.owner, tenant: row.tenant },
    }
  }

  return {
    /** The row even of a deleted session, for rooms below. */
    row: (id: string): SessionRow | undefined => byId.get(id) as unknown as SessionRow | undefined,
    get(id: string): SessionView | undefined {
      const row = byId.get(id) as unknown as SessionRow | undefined
      return row && row.deleted === 0 ? view(row) : undefined
    },
    byAlias(tenant: string, alias: string): SessionView | undefined {
      const row = byAlias.get(tenant, alias) as unknown as SessionRow | undefined
      return row && view(row)
    },
    /** Newest first. */
    list(query: SessionQuery): Page<SessionView> {
      const limit = query.limit ?? 50
      const owner = query.owner ?? null
      const archived = query.archived === undefined ? null : query.archived ? 1 : 0
      const before = placeAfter(query.cursor, Number.MAX_SAFE_INTEGER)
      const rows = page.all(query.tenant, owner, owner, archived, archived, before, limit + 1)
      return pageOf(rows as unknown as SessionRow[], limit, view, ({ num }) => num)
    },
  }
}
