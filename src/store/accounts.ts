import type { StoredKey } from '../contract/account.ts'
import type { AuditRecord } from '../contract/audit.ts'
import type { Json } from '../contract/message.ts'
import type { Workspace } from '../contract/workspace.ts'
import type { Claim, Repeated } from './inbox.ts'
import type { OutboxEvent } from './outbox.ts'

/** Keys, workspaces and small named values: everything that is in no session's log. */
export interface AccountStore {
  /** Stores a new key; its secret is stored nowhere. */
  putKey(key: StoredKey, extras?: Extras): Promise<'stored' | Repeated>
  key(id: string): Promise<StoredKey | undefined>
  keys(tenant?: string): Promise<StoredKey[]>
  /** Those of these keys that are revoked or do not exist. */
  revokedKeys(ids: readonly string[]): Promise<string[]>
  /** False if there is no such key or it was already revoked. */
  revokeKey(id: string, at: number, extras?: Extras): Promise<boolean>
  putWorkspace(workspace: Workspace, extras?: Extras): Promise<'stored' | Repeated>
  /** Changes only the given fields and returns the workspace, undefined if there is none. */
  changeWorkspace(
    id: string,
    changes: WorkspaceChanges,
    at: number,
    audit?: readonly AuditRecord[],
  ): Promise<Workspace | undefined>
  workspace(id: string): Promise<Workspace | undefined>
  workspaces(tenant: string): Promise<Workspace[]>
  /** Stores a small value under a key in an area, replacing an earlier one. */
  putValue(area: string, key: string, value: Json, at: number, audit?: readonly AuditRecord[]): Promise<void>
  values(area: string): Promise<Readonly<Record<string, Json>>>
  /**
   * Changes a value under a lock that holds across all processes; if `change` returns undefined or rejects, nothing
   * changes.
   */
  changeValue(
    area: string,
    key: string,
    at: number,
    change: (value: Json | undefined) => Promise<Json | undefined>,
  ): Promise<void>
  /** Calls `listener` within two seconds after another process changed something; returns a function that stops it. */
  onChange(listener: (area: ChangedArea) => void): () => void
}

/** `keys`, or the first word of the area that changed. */
export type ChangedArea = string

/** What is stored in the same transaction as the change itself. */
export interface Extras {
  readonly claim?: Claim
  readonly audit?: readonly AuditRecord[]
  readonly outbox?: readonly OutboxEvent[]
}

export type WorkspaceChanges = Partial<Omit<Workspace, 'id' | 'tenant' | 'createdAt' | 'updatedAt'>>
