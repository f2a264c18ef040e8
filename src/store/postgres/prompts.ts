import type { GovernedPrompt } from '../../contract/governed-prompt.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import {
  changedColumns,
  mayBeActive,
  NEW_PROMPT_COLUMNS,
  newPromptValues,
  PROMPT_COLUMNS,
  promptOfRow,
  type PromptRow,
} from '../prompt-row.ts'
import type { PromptStore } from '../prompts.ts'
import { record, type Base } from './base.ts'
import type { Query } from './database.ts'

type Prompts = Pick<
  PromptStore,
  'putPrompt' | 'prompt' | 'prompts' | 'activePrompt' | 'changePrompt' | 'activatePrompt'
>

const INSERT = `INSERT INTO prompts (${NEW_PROMPT_COLUMNS})
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce(max(version), 0) + 1 FROM prompts
  WHERE tenant = $2 AND workspace_id = $3 AND name = $4 RETURNING ${PROMPT_COLUMNS}`

const NEWEST = `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE tenant = $1 AND num < $2
  AND ($3::text IS NULL OR workspace_id = $3) AND ($4::text IS NULL OR status = $4) ORDER BY num DESC LIMIT $5`

// A new name counts its own versions.
const renumber = (name: string): string => `version = CASE WHEN name = ${name} THEN version ELSE
  (SELECT coalesce(max(o.version), 0) + 1 FROM prompts o
   WHERE o.tenant = prompts.tenant AND o.workspace_id = prompts.workspace_id AND o.name = ${name}) END, `

const DEPRECATE = `UPDATE prompts
  SET status = 'deprecated', revision = revision + 1, updated_at = greatest(updated_at, $3)
  WHERE tenant = $1 AND workspace_id = $2 AND status = 'active' AND id <> $4`

const ACTIVATE = `UPDATE prompts SET status = 'active', revision = revision + 1,
    updated_at = greatest(updated_at, $2), activated_at = $2, reason = $3
  WHERE id = $1 RETURNING ${PROMPT_COLUMNS}`

/** Held until the end of the transaction by whoever numbers or activates versions of a workspace. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const workspaceKey = ({ tenant, workspaceId }: Pick<GovernedPrompt, 'tenant' | 'workspaceId'>): string =>
  keyOf('prompts', tenant, workspaceId)

export function promptStore({ query, transaction, withExtras }: Base): Prompts {
  const inTurn = oneAtATime<GovernedPrompt | undefined>()

  async function prompt(id: string): Promise<GovernedPrompt | undefined> {
    return viewOf(await rowOf(query, id), promptOfRow)
  }

  /** Changes within the lock of the prompt's workspace; here they wait in turn, so that they hold no connections. */
  async function locked(
    id: string,
    change: (within: Query) => Promise<GovernedPrompt | undefined>,
  ): Promise<GovernedPrompt | undefined> {
    const found = await prompt(id)
    if (!found) return undefined
    const key = workspaceKey(found)
    return inTurn(key, () =>
      transaction(async (within) => {
        await within(LOCK, [key])
        return change(within)
      }),
    )
  }

  return {
    putPrompt: (given, extras) =>
      withExtras(extras, given.createdAt, async (within) => {
        await within(LOCK, [workspaceKey(given)])
        const [row] = await within<PromptRow>(INSERT, newPromptValues(given))
        if (!row) throw new Error('a prompt was not stored')
        return promptOfRow(row)
      }),
    prompt,
    async prompts({ tenant, workspaceId = null, status = null, limit = 50, cursor }) {
      const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
      const rows = await query<PromptRow>(NEWEST, [tenant, place, workspaceId, status, limit + 1])
      return pageOf(rows, limit, promptOfRow, ({ num }) => num)
    },
    async activePrompt(tenant, workspaceId) {
      const [row] = await query<PromptRow>(
        `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE tenant = $1 AND workspace_id = $2 AND status = 'active'`,
        [tenant, workspaceId],
      )
      return viewOf(row, promptOfRow)
    },
    changePrompt(id, revision, changes, at, records = []) {
      const { name } = changes
      const change = async (within: Query): Promise<GovernedPrompt | undefined> => {
        const columns = changedColumns(changes)
        const set = columns.map(
          ([column], i) => `${column} = $${i + 4}, ${column === 'name' ? renumber(`$${i + 4}`) : ''}`,
        )
        const [row] = await within<PromptRow>(
          `UPDATE prompts SET ${set.join('')}revision = revision + 1, updated_at = greatest(updated_at, $3)
           WHERE id = $1 AND revision = $2 RETURNING ${PROMPT_COLUMNS}`,
          [id, revision, at, ...columns.map(([, value]) => value)],
        )
        if (row) await record(within, records)
        return viewOf(row, promptOfRow)
      }
      return name === undefined ? transaction(change) : locked(id, change)
    },
    activatePrompt: (id, revision, { at, reason = null }, records = []) =>
      locked(id, async (within) => {
        const found = await rowOf(within, id, 'FOR UPDATE')
        if (found?.revision !== revision || !mayBeActive(found)) return undefined
        await within(DEPRECATE, [found.tenant, found.workspaceId, at, id])
        const [row] = await within<PromptRow>(ACTIVATE, [id, at, reason])
        await record(within, records)
        return viewOf(row, promptOfRow)
      }),
  }
}

async function rowOf(query: Query, id: string, how = ''): Promise<PromptRow | undefined> {
  return (await query<PromptRow>(`SELECT ${PROMPT_COLUMNS} FROM prompts WHERE id = $1 ${how}`, [id]))[0]
}
