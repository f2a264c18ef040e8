import type { GovernedPrompt, PromptStatus } from '../contract/governed-prompt.ts'
import type { Preferences, StoredPreferences } from '../contract/preferences.ts'
import { withoutNulls } from './page.ts'
import type { NewPrompt, PromptChanges } from './prompts.ts'

export interface PromptRow {
  num: number
  id: string
  tenant: string
  workspaceId: string
  name: string
  version: number
  content: string
  status: PromptStatus
  author: string
  editors: string
  reviewer: string | null
  selfApproved: number
  reason: string | null
  tokens: number
  createdAt: number
  updatedAt: number
  activatedAt: number | null
  revision: number
}

export const PROMPT_COLUMNS = `num, id, tenant, workspace_id AS "workspaceId", name, version, content, status, author,
  editors, reviewer, self_approved AS "selfApproved", reason, tokens, created_at AS "createdAt",
  updated_at AS "updatedAt", activated_at AS "activatedAt", revision`

export function promptOfRow({ num: _, editors, selfApproved, ...row }: PromptRow): GovernedPrompt {
  return {
    ...withoutNulls(row),
    editors: JSON.parse(editors) as string[],
    ...(selfApproved === 1 && { selfApproved: true as const }),
  }
}

/** In the order of `newPromptValues`; a draft without editors, and its version comes after them. */
export const NEW_PROMPT_COLUMNS =
  'id, tenant, workspace_id, name, content, author, tokens, created_at, updated_at, status, editors, revision, version'

export function newPromptValues(prompt: NewPrompt): (string | number)[] {
  const { id, tenant, workspaceId, name, content, author, tokens, createdAt } = prompt
  return [id, tenant, workspaceId, name, content, author, tokens, createdAt, createdAt, 'draft', '[]', 1]
}

/** The columns that change, with their values. */
export function changedColumns(changes: PromptChanges): [column: string, value: string | number | null][] {
  const { name, content, tokens, status, editors, reviewer, selfApproved, reason } = changes
  const given = {
    name,
    content,
    tokens,
    status,
    editors: editors && JSON.stringify(editors),
    reviewer,
    self_approved: selfApproved === undefined ? undefined : Number(selfApproved),
    reason,
  }
  return Object.entries(given).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]))
}

/** Only a version that was approved once may be activated. */
export const mayBeActive = ({ status }: Pick<PromptRow, 'status'>): boolean =>
  status !== 'draft' && status !== 'pending_review'

export interface PreferencesRow extends Omit<StoredPreferences, 'preferences'> {
  body: string
}

export const PREFERENCES_COLUMNS = 'tenant, user_id AS "userId", body, version, salt, updated_at AS "updatedAt"'

export const preferencesOfRow = ({ body, ...row }: PreferencesRow): StoredPreferences => ({
  ...row,
  preferences: JSON.parse(body) as Preferences,
})
