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
import type { Base } from './base.ts'

type Prompts = Pick<
  PromptStore,
  'putPrompt' | 'prompt' | 'prompts' | 'activePrompt' | 'changePrompt' | 'activatePrompt'
>

const NEXT_VERSION = `(SELECT coalesce(max(version), 0) + 1 FROM prompts
  WHERE tenant = ? AND workspace_id = ? AND name = ?)`

// A new name counts its own versions.
const RENUMBER = `version = CASE WHEN name = ? THEN version ELSE (SELECT coalesce(max(o.version), 0) + 1 FROM prompts o
  WHERE o.tenant = prompts.tenant AND o.workspace_id = prompts.workspace_id AND o.name = ?) END, `

export function promptStore({ db, group, withExtras, record, reading }: Base): Prompts {
  const insert = db.prepare(
    `INSERT INTO prompts (${NEW_PROMPT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${NEXT_VERSION})
     RETURNING ${PROMPT_COLUMNS}`,
  )
  const byId = db.prepare(`SELECT ${PROMPT_COLUMNS} FROM prompts WHERE id = ?`)
  const active = db.prepare(
    `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE tenant = ? AND workspace_id = ? AND status = 'active'`,
  )
  const newest = db.prepare(
    `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE tenant = ? AND num < ? AND (? IS NULL OR workspace_id = ?)
     AND (? IS NULL OR status = ?) ORDER BY num DESC LIMIT ?`,
  )
  const deprecate = db.prepare(
    `UPDATE prompts SET status = 'deprecated', revision = revision + 1, updated_at = ?
     WHERE tenant = ? AND workspace_id = ? AND status = 'active' AND id <> ?`,
  )
  const activate = db.prepare(
    `UPDATE prompts SET status = 'active', revision = revision + 1, updated_at = ?, activated_at = ?, reason = ?
     WHERE id = ? RETURNING ${PROMPT_COLUMNS}`,
  )

  const rowOf = (id: string): PromptRow | undefined => byId.get(id) as unknown as PromptRow | undefined

  return {
    putPrompt(prompt, extras) {
      const { tenant, workspaceId, name, createdAt } = prompt
      return withExtras(extras, createdAt, () =>
        promptOfRow(insert.get(...newPromptValues(prompt), tenant, workspaceId, name) as unknown as PromptRow),
      )
    },
    prompt: (id) => reading(() => viewOf(byId.get(id), promptOfRow)),
    prompts: ({ tenant, workspaceId = null, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
        const rows = newest.all(tenant, place, workspaceId, workspaceId, status, status, limit + 1)
        return pageOf(rows as unknown as PromptRow[], limit, promptOfRow, ({ num }) => num)
      }),
    activePrompt: (tenant, workspaceId) => reading(() => viewOf(active.get(tenant, workspaceId), promptOfRow)),
    changePrompt: (id, revision, changes, at, records = []) =>
      group.run((onRollback) => {
        const { name } = changes
        const set = changedColumns(changes)
        const change = db.prepare(
          `UPDATE prompts SET ${set.map(([column]) => `${column} = ?, `).join('')}${name === undefined ? '' : RENUMBER}
           revision = revision + 1, updated_at = ? WHERE id = ? AND revision = ? RETURNING ${PROMPT_COLUMNS}`,
        )
        const values = [...set.map(([, value]) => value), ...(name === undefined ? [] : [name, name])]
        const changed = viewOf(change.get(...values, at, id, revision), promptOfRow)
        if (changed) record(records, onRollback)
        return changed
      }),
    activatePrompt: (id, revision, { at, reason = null }, records = []) =>
      group.run((onRollback) => {
        const row = rowOf(id)
        if (row?.revision !== revision || !mayBeActive(row)) return undefined
        deprecate.run(at, row.tenant, row.workspaceId, id)
        const activated = viewOf(activate.get(at, at, reason, id), promptOfRow)
        record(records, onRollback)
        return activated
      }),
  }
}
