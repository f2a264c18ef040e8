import type { StoredKey } from '../contract/account.ts'
import type { AuditRecord, AuditRow } from '../contract/audit.ts'
import type { ActorRef, NewEvent, StoredEvent } from '../contract/event.ts'
import type { Input } from '../contract/input.ts'
import type { FilePart, Json } from '../contract/message.ts'
import type {
  ApprovalView,
  ListedRound,
  RoundState,
  RoundView,
  SessionView,
  UnknownCallView,
  UsageView,
} from '../contract/views.ts'
import type { Workspace } from '../contract/workspace.ts'
import type {
  ApprovalQuery,
  AuditQuery,
  Page,
  Range,
  RoundQuery,
  SessionQuery,
  SpendingQuery,
  UnknownCallQuery,
  UsageQuery,
} from './queries.ts'

/**
 * The only door to a database. A change is data, so that it is one transaction on any database and can share its
 * commit (and its fsync) with the changes of other sessions. A method that resolves has made its change durable;
 * a database that cannot write rejects with Problem STORE_UNAVAILABLE and has changed nothing.
 */
export interface Store {
  /** Opening a database brings it up to date. */
  readonly schema: Schema
  /**
   * All or nothing. A conflict means the caller no longer owns the session: stop, store nothing, start nothing. What the
   * events set aside or spend (`spending.ts`) is counted with them; if that is more than is left, nothing is stored.
   */
  commit(change: Change): Promise<Committed | Conflict | Repeated | OverBudget>
  /** Becomes the owner under the next epoch; whoever owned the session before is fenced. */
  claim(sessionId: string): Promise<Ownership | undefined>
  /** Forgets what is kept in memory for an owned session. */
  release(sessionId: string): void

  /** Events in order, through the fork lineage. `limit` counts events. */
  read(sessionId: string, range?: Range): Promise<StoredEvent[]>
  /** Like `read`, but not more than about `chars` characters at once, and at least one event if there is one. */
  readSlice(sessionId: string, after: number, most: { limit: number; chars: number }): Promise<EventSlice>
  /** Calls `listener` after each commit with what was stored, in order. Returns the way to stop. */
  subscribe(listener: (sessionId: string, events: readonly StoredEvent[]) => void): () => void

  /**
   * Stores what came from outside for the owner to fold in; under a claim it happens once. One that waits under the same
   * key in the same session is not stored again, and past `most` inputs that wait there nothing is. `blobs` are the
   * files it names: they are kept while it waits, and from then on by the event that names them.
   */
  putInput(
    input: Input,
    claim?: Claim,
    blobs?: readonly Blob[],
    most?: number,
  ): Promise<'stored' | 'full' | Waits | Repeated>
  pendingInputs(sessionId: string): Promise<Input[]>
  findClaim(key: string): Promise<Claim | undefined>
  /** Forgets at most `most` claims made before `before`, except those of inputs that wait. Says how many. */
  forgetClaims(before: number, most: number): Promise<number>

  session(id: string): Promise<SessionView | undefined>
  sessionByAlias(owner: ActorRef, alias: string): Promise<SessionView | undefined>
  /** The last used first: a session is used when it is made and when a round starts in it. */
  sessions(query: SessionQuery): Promise<Page<SessionView>>
  /** All sessions that come from the same one by forks, oldest first; not those that are deleted. */
  family(sessionId: string): Promise<Family | undefined>
  round(requestId: string): Promise<RoundView | undefined>
  /**
   * A round as a session has it, its own or an inherited one, also of a parent that is deleted. One that was open at the
   * fork point ends where the fork closed it.
   */
  roundIn(sessionId: string, requestId: string): Promise<RoundView | undefined>
  /** A message that waits to become this round. */
  queuedMessage(requestId: string): Promise<Input | undefined>
  /**
   * The round that contains event `seq` of the session, also where it was inherited. One that was open at the fork
   * point is the fork's until it starts its own.
   */
  roundAt(sessionId: string, seq: number): Promise<RoundView | undefined>
  rounds(query: { sessionId?: string; states?: readonly RoundState[]; limit?: number }): Promise<RoundView[]>
  /** Newest first. Messages that wait to become rounds stand before the first page, beside its limit. */
  roundPage(query: RoundQuery): Promise<Page<ListedRound>>
  /** Of rounds that have ended, by user and model. */
  usage(query: UsageQuery): Promise<UsageView[]>
  /**
   * Sessions that need an owner now: those where a round was running, then those with inputs that nobody has looked at
   * (`Change.looked`) since their log got its last event.
   */
  unfinished(): Promise<string[]>
  approval(id: string): Promise<ApprovalView | undefined>
  /** What waits for a decision oldest first, anything else newest first. */
  approvals(query: ApprovalQuery): Promise<Page<ApprovalView>>
  /** Sessions in which an approval that nobody decided has expired. */
  dueApprovals(now: number): Promise<string[]>
  /** In the session it was made in, if it is unknown there; else in the first fork where it is. */
  unknownCall(callId: string): Promise<UnknownCallView | undefined>
  /** Oldest first. */
  unknownCalls(query: UnknownCallQuery): Promise<Page<UnknownCallView>>
  blob(hash: string): Promise<Uint8Array | undefined>
  /** A file that an event of this session names, its own or an inherited one. */
  file(sessionId: string, hash: string): Promise<StoredFile | undefined>

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

  /** What one user, or with `EVERYBODY` everyone without an own one, may spend a day; in place of the one before. */
  putEntitlement(entitlement: Entitlement, beside?: Beside): Promise<'stored' | Repeated>
  /** False if there is none. */
  removeEntitlement(tenant: string, userId: string, at: number, beside?: Beside): Promise<boolean>
  /** The user's own, else that of everybody; undefined means unlimited. */
  entitlement(tenant: string, userId: string): Promise<Entitlement | undefined>
  entitlements(tenant: string): Promise<Entitlement[]>
  /** What a user may still spend on the day of `at`, beside what is set aside. */
  left(tenant: string, userId: string, at: number): Promise<Left>
  /** Per user and day, newest day first, also of sessions that are erased. */
  spending(query: SpendingQuery): Promise<SpendingView[]>
  /** Forgets at most `most` settled reservations made before `before`; what they spent stays counted. Says how many. */
  forgetReservations(before: number, most: number): Promise<number>

  /** Keeps something small under a name in an area, in the place of what was there. */
  keep(area: string, key: string, value: Json, at: number, audit?: readonly AuditRecord[]): Promise<void>
  /** All that is kept in an area. */
  kept(area: string): Promise<Readonly<Record<string, Json>>>

  /** The next job that is due, hidden from others for `leaseMs`. */
  takeJob(now: number, leaseMs: number): Promise<Job | undefined>
  finishJob(id: number): Promise<void>
  retryJob(id: number, runAt: number): Promise<void>

  /** Records of one tenant about what is in no log; nothing but what `contract/audit.ts` lists is kept of them. */
  appendAudit(records: readonly AuditRecord[]): Promise<void>
  /** Newest first. */
  auditPage(query: AuditQuery): Promise<Page<AuditRecord>>
  /** Oldest first, as they were sealed: for `verifyAudit` and `exportAudit`. */
  auditRows(after: number, limit: number): Promise<AuditRow[]>

  /** Writes a mark: it resolves if the store can be written to now. */
  ping(at: number): Promise<void>
  /** Erases the content of a deleted session, except what living forks share. */
  purge(sessionId: string): Promise<{ events: number; blobs: number }>
  /** A complete copy while the store is in use. */
  backup(file: string): Promise<void>
  /**
   * Erases what deleted sessions left and gives back its room, in small steps with other work in between. A file that
   * cannot do so yet is written anew if it may be, which nothing else can go on beside.
   */
  compact(options?: CompactWish): Promise<Compacted>
  /** Must it be written anew before it can give back room in steps? */
  needsRewrite(): boolean
  /** Is the file sound, is every blob there, do projections equal what the log says, does every audit seal hold? */
  check(options?: UpkeepOptions): Promise<CheckReport>
  close(): Promise<void>
}

/** Versions of a database: as it was found (0: there was none), and as it is now. */
export interface Schema {
  readonly found: number
  readonly now: number
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

/** What is stored in the same transaction as something that is in no log. */
export interface Beside {
  readonly claim?: Claim
  /** what it is recorded as, in a row of each tenant */
  readonly audit?: readonly AuditRecord[]
}

export type WorkspaceChanges = Partial<Omit<Workspace, 'id' | 'tenant' | 'createdAt' | 'updatedAt'>>

/** Made when what it stands for was made: it is as old as that. */
export interface Claim {
  readonly key: string
  /** of the request; the same key with another hash is a caller's mistake */
  readonly hash: string
  /** what the first caller was answered: ids, never content */
  readonly result: Json
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

/** The claim was taken before; nothing was changed. */
export interface Repeated {
  readonly kind: 'repeated'
  readonly claim: Claim
}

/** The same input waits already; nothing was changed. */
export interface Waits {
  readonly kind: 'waits'
  /** of the one that waits */
  readonly id: string
}

/** What the change would set aside is more than is left, or its tool was called too often; nothing was changed. */
export interface OverBudget {
  readonly kind: 'over'
  /** daily `tokens`, cost of `tools` or `cost` of models and tools; calls of the tool `hourly` or `concurrent` */
  readonly what: 'tokens' | 'tools' | 'cost' | 'hourly' | 'concurrent'
  /** whose quota it is */
  readonly tool?: string
  readonly limit: number
  readonly left: number
}

/** The user id of the entitlement of everyone who has none of their own. */
export const EVERYBODY = '*'

/** What a user may spend on a day (UTC); null is unlimited. Cost is in micro-dollars, `dailyCost` models and tools. */
export interface Entitlement {
  readonly tenant: string
  readonly userId: string
  readonly dailyTokens: number | null
  readonly dailyToolCost: number | null
  readonly dailyCost: number | null
  readonly updatedAt: number
}

/** Null is unlimited. */
export interface Left {
  readonly tokens: number | null
  readonly tools: number | null
  readonly cost: number | null
}

/** What one user spent on one day (UTC). Cost is in micro-dollars, `cost` that of models and tools. */
export interface SpendingView {
  readonly userId: string
  readonly day: string
  readonly tokens: number
  readonly toolCost: number
  readonly cost: number
}

export interface Ownership {
  readonly epoch: number
  readonly head: number
}

/** Some events of a log. `isLast`: there are no more now. */
export interface EventSlice {
  readonly events: StoredEvent[]
  readonly isLast: boolean
}

export interface Family {
  /** the session the others come from; it may be deleted */
  readonly root: string
  readonly items: SessionView[]
}

export interface NewJob {
  readonly kind: string
  readonly payload: Json
  readonly runAt: number
}

export interface Job extends NewJob {
  readonly id: number
  readonly attempts: number
}

/** The size of the store, in bytes. */
export interface Compacted {
  readonly before: number
  readonly after: number
  readonly freed: number
  /** nothing more can be given back before the file is written anew */
  readonly needsRewrite: boolean
}

/** Of work that takes long. It rejects with the reason of `signal`. */
export interface UpkeepOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: UpkeepProgress) => void
}

export interface UpkeepProgress {
  readonly doing: 'waiting' | 'copying' | 'checking' | 'compacting'
  /** pages of the file; sessions where it is checked */
  readonly done: number
  readonly total: number
}

export interface CompactWish extends UpkeepOptions {
  /** how many bytes a file may have to be written anew if it must be; without it none is */
  readonly rewriteUpTo?: number
}

export interface CheckReport {
  readonly ok: boolean
  readonly sessions: number
  readonly events: number
  readonly findings: readonly string[]
}
