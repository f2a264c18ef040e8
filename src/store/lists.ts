import type { ActorRef } from '../contract/event.ts'
import type { FinishReason, Protocol } from '../contract/outcome.ts'
import type {
  ApprovalView,
  ListedRound,
  RoundState,
  RoundView,
  SessionView,
  UnknownCallView,
  UsageView,
} from '../contract/views.ts'

/** What can be asked across sessions: rows that follow from the logs, and are written with them. */
export interface ListStore {
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
  /**
   * The round that contains event `seq` of the session, also where it was inherited. One that was open at the fork
   * point is the fork's until it starts its own.
   */
  roundAt(sessionId: string, seq: number): Promise<RoundView | undefined>
  rounds(query: { sessionId?: string; states?: readonly RoundState[]; limit?: number }): Promise<RoundView[]>
  /** Newest first. Messages that wait to become rounds stand before the first page, beside its limit. */
  roundPage(query: RoundQuery): Promise<Page<ListedRound>>
  /** Sessions in which a round waits for what has not come in time (`round.waiting.until`). */
  dueRounds(now: number): Promise<string[]>
  /** Of rounds that have ended, by user and model. */
  usage(query: UsageQuery): Promise<UsageView[]>
  approval(id: string): Promise<ApprovalView | undefined>
  /** What waits for a decision oldest first, anything else newest first. */
  approvals(query: ApprovalQuery): Promise<Page<ApprovalView>>
  /** In the session it was made in, if it is unknown there; else in the first fork where it is. */
  unknownCall(callId: string): Promise<UnknownCallView | undefined>
  /** Oldest first. */
  unknownCalls(query: UnknownCallQuery): Promise<Page<UnknownCallView>>
}

/** A part of a list. */
export interface Page<T> {
  readonly items: T[]
  readonly next: string | null
}

export interface Family {
  /** the session the others come from; it may be deleted */
  readonly root: string
  readonly items: SessionView[]
}

export interface SessionQuery {
  readonly tenant: string
  readonly owner: string
  readonly archived?: boolean
  /** words that are all in the title, in whatever case */
  readonly search?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface RoundQuery {
  readonly tenant: string
  readonly owner?: string
  /** rounds that were started in it, none that it inherited */
  readonly sessionId?: string
  readonly states?: readonly RoundState[]
  readonly finishReason?: FinishReason
  readonly model?: string
  readonly protocol?: Protocol
  /** started then or later */
  readonly since?: number
  readonly limit?: number
  readonly cursor?: string
}

export interface UsageQuery {
  readonly tenant: string
  readonly owner?: string
  readonly sessionId?: string
  /** times at which rounds ended: from, and before */
  readonly since?: number
  readonly until?: number
}

export interface ApprovalQuery {
  readonly tenant: string
  readonly owner: string
  readonly status?: ApprovalView['status']
  readonly limit?: number
  readonly cursor?: string
}

export interface UnknownCallQuery {
  readonly tenant: string
  readonly owner: string
  readonly reconciled?: boolean
  readonly limit?: number
  readonly cursor?: string
}
