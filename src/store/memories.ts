import type { AuditRecord } from '../contract/audit.ts'
import type { Memory, MemoryStatus } from '../contract/memory.ts'
import type { Extras } from './accounts.ts'
import type { Page, PageQuery } from './lists.ts'

/** What users want remembered. */
export interface MemoryStore {
  /**
   * Stores a memory, and marks the one it replaces as replaced, in one step. If one with this id exists, it is returned
   * and nothing changes, so that a repeated attempt stores nothing twice. Undefined, and nothing changes, if the newest
   * memory of its user is not the one that `extras` name: then somebody has to look at them anew.
   */
  putMemory(memory: NewMemory, extras?: MemoryExtras): Promise<StoredMemory | undefined>
  memory(id: string): Promise<StoredMemory | undefined>
  /** Newest first. */
  memories(query: MemoryQuery): Promise<Page<StoredMemory>>
  /** Changes a memory if nobody changed it since `revision`; undefined if somebody did or there is none. */
  changeMemory(
    id: string,
    revision: number,
    changes: MemoryChanges,
    at: number,
    audit?: readonly AuditRecord[],
  ): Promise<StoredMemory | undefined>
  /** What it is compared by is no change that anybody sees: its revision stays. Nothing happens if there is none. */
  putMemoryVector(id: string, vector: NonNullable<StoredMemory['vector']>): Promise<void>
  /** Erases a memory and all that it replaced, one after the other; false if there is none. */
  deleteMemory(id: string, audit?: readonly AuditRecord[]): Promise<boolean>
  /** Erases all memories of a user, and what automations were to hear of them; returns how many there were. */
  forgetMemories(tenant: string, userId: string, audit?: readonly AuditRecord[]): Promise<number>
  /** Texts of a user's memories that still exist, by their ids, whatever their status. */
  memoryTexts(tenant: string, userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface StoredMemory extends Memory {
  /** of length 1; missing if it was not embedded yet */
  readonly vector?: { readonly model: string; readonly values: Float32Array }
}

interface MemoryExtras extends Omit<Extras, 'claim'> {
  /** the id of the newest memory of the user that was looked at, null if there was none; without it, any may be */
  readonly newest?: string | null
}

export interface NewMemory extends Omit<StoredMemory, 'updatedAt' | 'revision'> {}

export interface MemoryChanges {
  readonly status?: MemoryStatus
  readonly importance?: number
  readonly category?: Memory['category']
}

export interface MemoryQuery extends PageQuery {
  readonly tenant: string
  readonly userId: string
  readonly status?: MemoryStatus
}
