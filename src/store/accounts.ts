import type { StoredKey } from '../contract/account.ts'
import type { AuditRecord } from '../contract/audit.ts'
import type { Json } from '../contract/message.ts'
import type { Workspace } from '../contract/workspace.ts'
import type { Claim, Repeated } from './inbox.ts'

/** Keys, workspaces and small things that are kept: what is in no log. */
export interface AccountStore {
  /** A new key. The secret itself is nowhere. */
  putKey(key: StoredKey, beside?: Beside): Promise<'stored' | Repeated>
  key(id: string): Promise<StoredKey | undefined>
  keys(tenant?: string): Promise<StoredKey[]>
  /** False if there is no such key or it was revoked before. */
  revokeKey(id: string, at: number, beside?: Beside): Promise<boolean>
  putWorkspace(workspace: Workspace, beside?: Beside): Promise<'stored' | Repeated>
  /** Changes what is given and nothing else; the workspace as it is then, undefined if there is none. */
  changeWorkspace(
    id: string,
    changes: WorkspaceChanges,
    at: number,
    audit?: readonly AuditRecord[],
  ): Promise<Workspace | undefined>
  workspace(id: string): Promise<Workspace | undefined>
  workspaces(tenant: string): Promise<Workspace[]>
  /** Keeps something small under a name in an area, in the place of what was there. */
  keep(area: string, key: string, value: Json, at: number, audit?: readonly AuditRecord[]): Promise<void>
  /** All that is kept in an area. */
  kept(area: string): Promise<Readonly<Record<string, Json>>>
}

/** What is stored in the same transaction as something that is in no log. */
export interface Beside {
  readonly claim?: Claim
  /** what it is recorded as, in a row of each tenant */
  readonly audit?: readonly AuditRecord[]
}

export type WorkspaceChanges = Partial<Omit<Workspace, 'id' | 'tenant' | 'createdAt' | 'updatedAt'>>
