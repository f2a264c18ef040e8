import type { Protocol } from '../../contract/outcome.ts'
import type { RoundState, SessionView } from '../../contract/views.ts'
import { foldCase } from '../../lib/fold-case.ts'
import type { ListStore } from '../lists.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { pageOf, timedPlace, timedPlaceAfter, viewOf } from './page.ts'
import { STARTED } from './rounds.ts'

interface Row extends Omit<
  SessionView,
  'alias' | 'model' | 'protocol' | 'parent' | 'seq' | 'archived' | 'open' | 'owner'
> {
  num: number
  alias: string | null
  model: string | null
  protocol: Protocol | null
  parentId: string | null
  parentSeq: number | null
  archived: number
  owner: string
  tenant: string
  roundId: string | null
  roundState: RoundState | null
  waitingFor: string | null
  queuedId: string | null
}

/** The last round that started is the only one that can be open: that is a row already, so none is written for it. */
const SELECT = `SELECT s.num, s.id, s.alias, s.workspace AS workspaceId, s.title, s.model, s.protocol, p.id AS parentId,
  s.parent_seq AS parentSeq, s.archived, s.created_at AS createdAt, max(s.updated_at, s.used_at) AS updatedAt,
  s.used_at AS usedAt, s.owner, s.tenant, r.request_id AS roundId, r.state AS roundState, r.waiting_for AS waitingFor,
  (SELECT body ->> '$.requestId' FROM inputs WHERE session = s.num AND body ->> '$.kind' = 'message'
   ORDER BY rowid LIMIT 1) AS queuedId
  FROM sessions s LEFT JOIN sessions p ON p.num = s.parent LEFT JOIN rounds r ON r.key =
  (SELECT key FROM rounds r WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)}
   AND ${STARTED} ORDER BY key DESC LIMIT 1)`
/** LIKE knows the case of ASCII letters only, and has characters with a meaning. */
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
  // Up to the first one that was no fork, and from there down to every fork.
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

  function view(row: Row): SessionView {
    return {
      id: row.id,
      ...(row.alias !== null && { alias: row.alias }),
      workspaceId: row.workspaceId,
      title: row.title,
      ...(row.model !== null && { model: row.model }),
      ...(row.protocol !== null && { protocol: row.protocol }),
      ...(row.parentId !== null && { parent: { sessionId: row.parentId, seq: row.parentSeq ?? 0 } }),
      seq: head(row.num, row.parentSeq ?? 0),
      archived: row.archived === 1,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      usedAt: row.usedAt,
      ...openOf(row),
      owner: { id: row.owner, tenant: row.tenant },
    }
  }

  return {
    session: (id) => reading(() => viewOf(byId.get(id), view)),
    sessionByAlias: ({ tenant, id }, alias) => reading(() => viewOf(byAlias.get(tenant, id, alias), view)),
    sessions: ({ tenant, owner, archived, search, limit = 50, cursor }) =>
      reading(() => {
        const before = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : timedPlaceAfter(cursor)
        const words = wordsOf(search)
        // Those that were put away stand apart in the index, so that neither kind is looked through for the other.
        const rows = (archived === undefined ? [false, true] : [archived]).flatMap(
          (away) => lastUsed.all(tenant, owner, Number(away), ...before, words, words, limit + 1) as unknown as Row[],
        )
        rows.sort((a, b) => b.usedAt - a.usedAt || b.num - a.num)
        return pageOf(rows, limit, view, (row) => timedPlace(row.usedAt, row.num))
      }),
    family: (id) =>
      reading(() => {
        const root = first.get(id) as { num: number; id: string } | undefined
        return root && { root: root.id, items: (below.all(root.num) as unknown as Row[]).map(view) }
      }),
  }
}

function openOf({ roundId, roundState, waitingFor, queuedId }: Row): Pick<SessionView, 'open'> {
  if (roundId !== null && roundState !== null && roundState !== 'ended')
    return { open: { requestId: roundId, state: roundState, ...(waitingFor === 'result' && { waitingFor }) } }
  return queuedId === null ? {} : { open: { requestId: queuedId, state: 'queued' } }
}

function wordsOf(search: string | undefined): string | null {
  const words = foldCase(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.length === 0 ? null : JSON.stringify(words)
}
