import type { Automation, AutomationKind, AutomationStatus } from '../contract/automation.ts'
import { withoutNulls } from './page.ts'

/** What is only read together with the whole. */
type Rest = Pick<Automation, 'reason' | 'permissions' | 'updatedAt' | 'body'>

export interface AutomationRow {
  num: number
  id: string
  tenant: string
  kind: AutomationKind
  name: string | null
  status: AutomationStatus
  createdBy: string
  dueAt: number | null
  revision: number
  createdAt: number
  body: string
}

export const AUTOMATION_COLUMNS = `num, id, tenant, kind, name, status, created_by AS "createdBy", due_at AS "dueAt",
  revision, created_at AS "createdAt", body`

export function automationOfRow({ num: _, body, ...row }: AutomationRow): Automation {
  return { ...withoutNulls(row), ...(JSON.parse(body) as Rest) } as Automation
}

/** In the order of `newAutomationValues`. */
export const NEW_AUTOMATION_COLUMNS = 'id, tenant, kind, created_by, created_at, name, status, due_at, revision, body'

export function newAutomationValues(automation: Automation): (string | number | null)[] {
  const { id, tenant, kind, createdBy, createdAt } = automation
  return [id, tenant, kind, createdBy, createdAt, ...changedAutomationValues(automation)]
}

/** What a change may set: name, status, due_at, revision and body. */
export function changedAutomationValues(automation: Automation): (string | number | null)[] {
  const { name, status, reason, permissions, dueAt, revision, updatedAt, body } = automation
  const rest = { reason, permissions, updatedAt, body }
  return [name ?? null, status, dueAt ?? null, revision, JSON.stringify(rest)]
}
