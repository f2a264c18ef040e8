import type { AuditRecord } from '../contract/audit.ts'
import type { NewEvent, StoredEvent } from '../contract/event.ts'
import type { FilePart } from '../contract/message.ts'
import type { Claim, Repeated } from './inbox.ts'
import type { NewJob } from './jobs.ts'
import type { OverBudget } from './money.ts'
import type { OutboxEvent } from './outbox.ts'
import type { StoredPart } from './prompts.ts'

/**
 * The logs of sessions and their owners; a change is data, so that changes of several sessions can share one commit.
 */
export interface LogStore {
  /**
   * Stores all or nothing; on a conflict the caller no longer owns the session and must stop, over budget nothing is
   * stored.
   */
  commit(change: Change): Promise<Committed | Conflict | Repeated | OverBudget>
  /** Becomes the owner under the next epoch and fences the previous one, unless another owner's lease still holds. */
  claim(sessionId: string): Promise<Ownership | OwnedElsewhere | undefined>
  /**
   * Gives up an owned session; with `othersMayClaim` false it is only forgotten here, because its work may still be
   * running. Never rejects.
   */
  release(sessionId: string, othersMayClaim?: boolean): Promise<void>
  /**
   * Sessions that need an owner now: first those with a running round, then those with inputs stored since their last
   * event. Of sessions without an owner it returns at most `most`, and only this node's share.
   */
  unfinished(most?: number): Promise<string[]>
  /** Events in order, through the fork lineage. */
  read(sessionId: string, range?: Range): Promise<StoredEvent[]>
  /** Like `read`, but stops after about `chars` characters; at least one event if there is one. */
  readSlice(sessionId: string, after: number, most: { limit: number; chars: number }): Promise<EventSlice>
  /** Stores a snapshot of a living session at its event number; losing one costs only time. */
  putSnapshot(sessionId: string, snapshot: Snapshot): Promise<void>
  /** The last snapshot of this version at or before `upTo`, through the fork lineage. */
  snapshot(sessionId: string, version: number, upTo?: number): Promise<Snapshot | undefined>
  /** `limit` snapshots after a place (0: from the first), a parent's before those of its forks. */
  snapshots(after: number, limit: number): Promise<ListedSnapshot[]>
  /** Calls `listener` with the stored events after each commit made here; returns a function that stops it. */
  subscribe(listener: (sessionId: string, events: readonly StoredEvent[]) => void): () => void
  /**
   * Calls `listener` with the current state and after other processes stored events or took ownership, never for a
   * session owned here; several changes may come as one. Returns a function that stops it.
   */
  watch(sessionId: string, listener: (now: Watched) => void): () => void
  blob(hash: string): Promise<Uint8Array | undefined>
  /** A file that an event of this session names, own or inherited. */
  file(sessionId: string, hash: string): Promise<StoredFile | undefined>
}

export interface Change {
  readonly sessionId: string
  readonly epoch: number
  /** the number of the last event the caller knows; 0 for a new session, the fork point for a fork */
  readonly expected: number
  readonly events: readonly NewEvent[]
  /** for a new session, which its first event describes */
  readonly create?: { readonly parent?: { readonly sessionId: string; readonly seq: number } }
  /** inputs that these events consume */
  readonly consumed?: readonly string[]
  /** inputs that stay in the inbox until the log grows past this change */
  readonly deferred?: readonly string[]
  /** makes this change happen once */
  readonly claim?: Claim
  readonly blobs?: readonly Blob[]
  readonly jobs?: readonly NewJob[]
  /** what these events tell automations */
  readonly outbox?: readonly OutboxEvent[]
  /** texts that these events name and that this owner has not stored for the session yet; stored before the events */
  readonly parts?: readonly StoredPart[]
  /** of one tenant, stored with the change */
  readonly audit?: readonly AuditRecord[]
}

export interface Snapshot {
  readonly seq: number
  /** of the body's format */
  readonly version: number
  readonly body: string
}

export interface ListedSnapshot extends Snapshot {
  readonly place: number
  /** a session whose log can be read up to `seq`: the snapshot's own or, if that is deleted, a fork */
  readonly sessionId: string | undefined
}

export interface Blob {
  readonly hash: string
  readonly bytes: Uint8Array
}

export interface StoredFile {
  readonly part: FilePart
  readonly bytes: Uint8Array
}

export interface Committed {
  readonly kind: 'committed'
  readonly events: readonly StoredEvent[]
}

export interface Conflict {
  readonly kind: 'conflict'
  readonly reason: 'epoch' | 'number' | 'exists' | 'gone'
}

export interface Ownership {
  readonly kind: 'owned'
  readonly epoch: number
  readonly head: number
  /**
   * The head when the session was last taken from an owner that had not released it: calls started before may still be
   * running.
   */
  readonly evictedAt?: number
}

export interface OwnedElsewhere {
  readonly kind: 'elsewhere'
  /** the owner's name; undefined if nobody owns it and only a newer version of Segno may */
  readonly where: string | undefined
  /** when its lease ends, unless it is renewed */
  readonly until: number
}

/** The state of a session that is not owned here. */
export interface Watched {
  /** the number of its last event; Infinity if the session is gone */
  readonly head: number
  readonly owner?: string
}

export interface Range {
  readonly after?: number
  readonly upTo?: number
  readonly limit?: number
}

/** Some events of a log; `isLast` if there are no more now. */
export interface EventSlice {
  readonly events: StoredEvent[]
  readonly isLast: boolean
}
