import type { DatabaseSync } from 'node:sqlite'
import type { ActorRef } from '../../contract/event.ts'
import type { Protocol } from '../../contract/outcome.ts'
import type { RoundState, SessionView } from '../../contract/views.ts'
import { foldCase } from '../../lib/fold-case.ts'
import type { Family, Page, SessionQuery } from '../lists.ts'
import { eventKey } from './event-rows.ts'
import { pageOf, timedPlace, timedPlaceAfter, viewOf } from './page.ts'
import { STARTED } from './rounds.ts'

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
  used_at: number
  round_id: string | null
  round_state: RoundState | null
  waiting_for: string | null
  /** only where it was asked for */
  queued_id?: string | null
}

/** The last round that started is the only one that can be open: that is a row already, so none is written for it. */
const SELECT = `SELECT s.*, p.id AS parent_id, r.request_id AS round_id, r.state AS round_state, r.waiting_for`
const FROM = `FROM sessions s LEFT JOIN sessions p ON p.num = s.parent LEFT JOIN rounds r ON r.key =
  (SELECT key FROM rounds r WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)}
   AND ${STARTED} ORDER BY key DESC LIMIT 1)`
/** The first message that waits, for those who look at a session. */
const QUEUED = `(SELECT body ->> '$.requestId' FROM inputs WHERE session = s.num AND body ->> '$.kind' = 'message'
  ORDER BY rowid LIMIT 1) AS queued_id`
/** LIKE knows the case of ASCII letters only, and has characters with a meaning. */
const HAS_WORDS = `(? IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(?) word WHERE instr(folded(s.title), word.value) = 0))`

export function sessionsIn(db: DatabaseSync, headOf: (num: number, parentSeq: number) => number) {
  db.function('folded', { deterministic: true }, (text) => foldCase(String(text)))
  const rowOf = db.prepare(`${SELECT} ${FROM} WHERE s.id = ?`)
  const byId = db.prepare(`${SELECT}, ${QUEUED} ${FROM} WHERE s.id = ? AND s.deleted = 0`)
  const byAlias = db.prepare(
    `${SELECT}, ${QUEUED} ${FROM} WHERE s.tenant = ? AND s.owner = ? AND s.alias = ? AND s.deleted = 0`,
  )
  const lastUsed = db.prepare(
    `${SELECT}, ${QUEUED} ${FROM} WHERE s.tenant = ? AND s.owner = ? AND s.archived = ? AND s.deleted = 0
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
     ${SELECT}, ${QUEUED} ${FROM} WHERE s.num IN family AND s.deleted = 0 ORDER BY s.num`,
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
      updatedAt: Math.max(row.updated_at, row.used_at),
      usedAt: row.used_at,
      ...openOf(row),
      owner: { id: row.owner, tenant: row.tenant },
    }
  }

  return {
    /** The row even of a deleted session, for rooms below. */
    row: (id: string): SessionRow | undefined => rowOf.get(id) as unknown as SessionRow | undefined,
    get: (id: string): SessionView | undefined => viewOf(byId.get(id), view),
    byAlias: ({ tenant, id }: ActorRef, alias: string): SessionView | undefined =>
      viewOf(byAlias.get(tenant, id, alias), view),
    /** The last used first. */
    list({ tenant, owner, archived, search, limit = 50, cursor }: SessionQuery): Page<SessionView> {
      const before = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : timedPlaceAfter(cursor)
      const words = wordsOf(search)
      // Those that were put away stand apart in the index, so that neither kind is looked through for the other.
      const rows = (archived === undefined ? [false, true] : [archived]).flatMap(
        (away) =>
          lastUsed.all(tenant, owner, Number(away), ...before, words, words, limit + 1) as unknown as SessionRow[],
      )
      rows.sort((a, b) => b.used_at - a.used_at || b.num - a.num)
      return pageOf(rows, limit, view, (row) => timedPlace(row.used_at, row.num))
    },
    /** A session with all forks of the one it comes from, oldest first. */
    family(id: string): Family | undefined {
      const root = first.get(id) as { num: number; id: string } | undefined
      return root && { root: root.id, items: (below.all(root.num) as unknown as SessionRow[]).map(view) }
    },
  }
}

function openOf({ round_id, round_state, waiting_for, queued_id = null }: SessionRow): Pick<SessionView, 'open'> {
  if (round_id !== null && round_state !== null && round_state !== 'ended')
    return {
      open: { requestId: round_id, state: round_state, ...(waiting_for === 'result' && { waitingFor: waiting_for }) },
    }
  return queued_id === null ? {} : { open: { requestId: queued_id, state: 'queued' } }
}

function wordsOf(search: string | undefined): string | null {
  const words = foldCase(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.length === 0 ? null : JSON.stringify(words)
}
