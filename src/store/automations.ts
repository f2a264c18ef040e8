import type { AuditRecord } from '../contract/audit.ts'
import type { Automation, AutomationKind, AutomationStatus } from '../contract/automation.ts'
import type { Claim, Repeated } from './inbox.ts'
import type { Page, PageQuery } from './lists.ts'
import type { EncryptedSecret } from './secrets.ts'

/** Workflows, webhooks, hooks, triggers and schedules; their secrets lie in `secrets` under `automationSecret`. */
export interface AutomationStore {
  /** `taken`: another of its kind has the name; `many`: there are `most` already; `stale`: not encrypted with the key in force */
  addAutomation(
    added: Automation,
    more: AutomationExtras & { readonly most: number },
  ): Promise<AutomationStored | 'many' | Repeated>
  /** Stores it as it is now, if it still is as it `was`; its kind, tenant and creator never change. */
  changeAutomation(changed: Automation, more?: AutomationExtras): Promise<AutomationStored | 'changed'>
  /** With its secret; false if there is none. */
  removeAutomation(tenant: string, id: string, audit?: readonly AuditRecord[]): Promise<boolean>
  automation(tenant: string, id: string): Promise<Automation | undefined>
  /** Active ones of this name in all tenants, at most `limit`: who calls a hook names no tenant. */
  automationsNamed(kind: AutomationKind, name: string, limit: number): Promise<readonly Automation[]>
  automationNamed(tenant: string, kind: AutomationKind, name: string): Promise<Automation | undefined>
  /** Newest first. */
  automations(query: AutomationQuery): Promise<Page<Automation>>
  /** The active ones of these kinds, of all tenants or of one. */
  activeAutomations(kinds: readonly AutomationKind[], tenant?: string): Promise<readonly Automation[]>
  /** Active schedules whose time has come, the longest due first. */
  dueAutomations(now: number, limit: number): Promise<readonly Automation[]>
}

export type AutomationStored = 'stored' | 'taken' | 'stale'

export interface AutomationExtras {
  /** null takes the secret away; without it, it stays */
  readonly secret?: EncryptedSecret | null
  /** of a new one only */
  readonly claim?: Claim
  /** of a change: what was looked at; by default one with the revision before, whenever it was due */
  readonly was?: Pick<Automation, 'revision' | 'dueAt'>
  readonly audit?: readonly AuditRecord[]
}

export interface AutomationQuery extends PageQuery {
  readonly tenant: string
  readonly kind: AutomationKind
  readonly status?: AutomationStatus
}

/** Whether nothing has changed it since it was looked at: no person, who gives it another revision, and no clock. */
export const isAsItWas = (
  before: { readonly revision: number; readonly dueAt: number | null },
  { revision }: Automation,
  was: AutomationExtras['was'],
): boolean =>
  was ? before.revision === was.revision && before.dueAt === (was.dueAt ?? null) : before.revision === revision - 1

/** What the secret of an automation is called. */
export const automationSecret = (kind: AutomationKind, id: string): string => `${kind} ${id}`
