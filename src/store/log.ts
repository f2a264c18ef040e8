import type { AuditRecord } from '../contract/audit.ts'
import type { NewEvent, StoredEvent } from '../contract/event.ts'
import type { FilePart } from '../contract/message.ts'
import type { Claim, Repeated } from './inbox.ts'
import type { NewJob } from './jobs.ts'
import type { OverBudget } from './money.ts'

/**
 * The logs of sessions, and who writes each. A change is data, so that it is one transaction on any database and can
 * share its commit (and its fsync) with the changes of other sessions.
 */
export interface LogStore {
  /**
   * All or nothing. A conflict means the caller no longer owns the session: stop, store nothing, start nothing. What the
   * events set aside or spend (`spending.ts`) is counted with them; if that is more than is left, nothing is stored.
   */
  commit(change: Change): Promise<Committed | Conflict | Repeated | OverBudget>
  /**
   * Becomes the owner under the next epoch, and whoever owned the session before is fenced; unless that is somebody else
   * whose time is not over. Undefined if there is no such session.
   */
  claim(sessionId: string): Promise<Ownership | Elsewhere | undefined>
  /** Forgets what is kept in memory for an owned session. */
  release(sessionId: string): void
  /**
   * Sessions that need an owner now: those where a round was running, then those with inputs that nobody has looked at
   * (`Change.looked`) since their log got its last event. Not those that `claim` would say are owned elsewhere.
   */
  unfinished(): Promise<string[]>
  /** Events in order, through the fork lineage. `limit` counts events. */
  read(sessionId: string, range?: Range): Promise<StoredEvent[]>
  /** Like `read`, but not more than about `chars` characters at once, and at least one event if there is one. */
  readSlice(sessionId: string, after: number, most: { limit: number; chars: number }): Promise<EventSlice>
  /**
   * Keeps what a session comes to at a number of its stored log, in the place of what was kept there; nothing of one that
   * is deleted. Snapshots can be made from the log: to lose them costs time and nothing else.
   */
  putSnapshot(sessionId: string, snapshot: Snapshot): Promise<void>
  /** The last snapshot of this version at or before a number, through the fork lineage. */
  snapshot(sessionId: string, version: number, upTo?: number): Promise<Snapshot | undefined>
  /** All snapshots, those of a parent before those of its forks, `limit` of them after a place (0: from the first). */
  snapshots(after: number, limit: number): Promise<ListedSnapshot[]>
  /** Calls `listener` after each commit made here with what was stored, in order. Returns the way to stop. */
  subscribe(listener: (sessionId: string, events: readonly StoredEvent[]) => void): () => void
  /** Calls `listener` when somebody else stored something in a session: what it was is in the log. */
  subscribeElsewhere(listener: (sessionId: string) => void): () => void
  blob(hash: string): Promise<Uint8Array | undefined>
  /** A file that an event of this session names, its own or an inherited one. */
  file(sessionId: string, hash: string): Promise<StoredFile | undefined>
}

export interface Change {
  readonly sessionId: string
  readonly epoch: number
  /** the number of the last event the caller knows; 0 for a new session, the fork point for a fork */
  readonly expected: number
  readonly events: readonly NewEvent[]
  /** the session does not exist yet; its first event says what it is */
  readonly create?: { readonly parent?: { readonly sessionId: string; readonly seq: number } }
  /** inputs these events folded in */
  readonly consumed?: readonly string[]
  /** inputs that have to wait on: marked with the number of the last event, this change included */
  readonly looked?: readonly string[]
  /** what makes this change happen once */
  readonly claim?: Claim
  readonly blobs?: readonly Blob[]
  readonly jobs?: readonly NewJob[]
  /** what the change is recorded as, all of one tenant; stored if and only if the change is */
  readonly audit?: readonly AuditRecord[]
}

export interface Snapshot {
  readonly seq: number
  /** of what wrote the body: only that can read it */
  readonly version: number
  readonly body: string
}

export interface ListedSnapshot extends Snapshot {
  readonly place: number
  /** a session whose log can be read up to its number: its own or, where that is deleted, a fork that shares it */
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
}

/** Somebody else owns the session. */
export interface Elsewhere {
  readonly kind: 'elsewhere'
  /** the name of who does */
  readonly where: string
  /** until when nobody else can, unless that is put off */
  readonly until: number
}

export interface Range {
  readonly after?: number
  readonly upTo?: number
  readonly limit?: number
}

/** Some events of a log. `isLast`: there are no more now. */
export interface EventSlice {
  readonly events: StoredEvent[]
  readonly isLast: boolean
}
