import type { SessionView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import { pageOf, timeCursor, parseTimeCursor, viewOf } from '../page.ts'
import { sessionView, type SessionRow } from '../rows/session-row.ts'
import { searchWords } from '../search-words.ts'
import type { Base } from './base.ts'
import { STARTED } from './rounds.ts'

type Row = SessionRow & { seq: number }

/** Only the last started round can be open; `from` names the sessions as `s`. */
const select = (from: string): string => `SELECT s.num, s.id, s.alias, s.workspace AS "workspaceId", s.title, s.model,
  s.protocol, s.params, s.parent AS "parentId", s.parent_seq AS "parentSeq", s.archived, s.created_at AS "createdAt",
  greatest(s.updated_at, s.used_at) AS "updatedAt", s.used_at AS "usedAt", s.owner, s.tenant, h.head AS seq,
  r.request_id AS "roundId", r.state AS "roundState", r.waiting_for AS "waitingFor", q.request_id AS "queuedId"
  FROM ${from} CROSS JOIN LATERAL (SELECT head FROM heads WHERE session_id = s.id LIMIT 1) h
  LEFT JOIN LATERAL (SELECT request_id, state, waiting_for FROM rounds r WHERE session_id = s.id AND ${STARTED}
    ORDER BY start_seq DESC LIMIT 1) r ON true
  LEFT JOIN LATERAL (SELECT request_id FROM inputs WHERE session_id = s.id AND kind = 'message'
    ORDER BY n LIMIT 1) q ON true`

const BY_ID = `${select('sessions s')} WHERE s.id = $1 AND s.deleted = 0`
const BY_ALIAS = `${select('sessions s')} WHERE s.tenant = $1 AND s.owner = $2 AND s.alias = $3 AND s.deleted = 0`

/** Archived sessions have their own part of the index, so each part is read by itself. */
const LAST_USED = `${select(`(SELECT one.* FROM unnest($3::integer[]) AS kind (archived) CROSS JOIN LATERAL
    (SELECT * FROM sessions WHERE tenant = $1 AND owner = $2 AND archived = kind.archived AND deleted = 0
       AND (used_at, num) < ($4, $5)
       AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS word WHERE strpos(folded, word) = 0)
     ORDER BY used_at DESC, num DESC LIMIT $7) one
    ORDER BY one.used_at DESC, one.num DESC LIMIT $7) s`)} ORDER BY s.used_at DESC, s.num DESC`

/** Up to the root of the fork tree, and from there down to every fork. */
const FAMILY = `WITH RECURSIVE up (id, parent) AS (SELECT id, parent FROM sessions WHERE id = $1
    UNION ALL SELECT s.id, s.parent FROM sessions s JOIN up ON s.id = up.parent),
  family (id, root) AS (SELECT id, id FROM up WHERE parent IS NULL
    UNION ALL SELECT s.id, family.root FROM sessions s JOIN family ON s.parent = family.id)
  SELECT id, root FROM family`
const MEMBERS = `${select('sessions s')} WHERE s.id = ANY ($1) AND s.deleted = 0 ORDER BY s.num`

type Lists = Pick<ListStore, 'session' | 'sessionByAlias' | 'sessions' | 'family'>

export function sessionLists({ query }: Base): Lists {
  return {
    session: async (id) => viewOf((await query<Row>(BY_ID, [id]))[0], view),
    sessionByAlias: async ({ tenant, id }, alias) => viewOf((await query<Row>(BY_ALIAS, [tenant, id, alias]))[0], view),
    async sessions({ tenant, owner, archived, search, limit = 50, cursor }) {
      const before = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : parseTimeCursor(cursor)
      const kinds = archived === undefined ? [0, 1] : [Number(archived)]
      const rows = await query<Row>(LAST_USED, [tenant, owner, kinds, ...before, searchWords(search), limit + 1])
      return pageOf(rows, limit, view, (row) => timeCursor(row.usedAt, row.num))
    },
    async family(id) {
      const family = await query<{ id: string; root: string }>(FAMILY, [id])
      const root = family[0]?.root
      if (root === undefined) return undefined
      const rows = await query<Row>(MEMBERS, [family.map((member) => member.id)])
      return { root, items: rows.map(view) }
    },
  }
}

const view = (row: Row): SessionView => sessionView(row, row.seq)
