import type { ActorRef } from '../contract/actor.ts'
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

/** Queries across sessions, over rows that are derived from the logs and written with them. */
export interface ListStore {
  session(id: string): Promise<SessionView | undefined>
  sessionByAlias(owner: ActorRef, alias: string): Promise<SessionView | undefined>
  /** Last used first: a session is used when it is created and when a round starts. */
  sessions(query: SessionQuery): Promise<Page<SessionView>>
  /** All living sessions of the same fork tree, oldest first. */
  family(sessionId: string): Promise<Family | undefined>
  round(requestId: string): Promise<RoundView | undefined>
  /** A round of the session, own or inherited; one that was open at the fork point ends where the fork closed it. */
  roundIn(sessionId: string, requestId: string): Promise<RoundView | undefined>
  /**
   * The round that contains event `seq`; one that was open at the fork point belongs to the fork until it starts its
   * own.
   */
  roundAt(sessionId: string, seq: number): Promise<RoundView | undefined>
  /** The session's own rounds, newest first. */
  rounds(sessionId: string, limit?: number): Promise<RoundView[]>
  /** Newest first; queued messages come before the first page and do not count towards its limit. */
  roundPage(query: RoundQuery): Promise<Page<ListedRound>>
  /** Sessions with a round whose `round.waiting.until` has passed: all, or only those this process owns. */
  dueRounds(now: number, whose?: 'all' | 'mine'): Promise<string[]>
  /** Of ended rounds, by user and model. */
  usage(query: UsageQuery): Promise<UsageView[]>
  approval(id: string): Promise<ApprovalView | undefined>
  /** Pending ones oldest first, all others newest first. */
  approvals(query: ApprovalQuery): Promise<Page<ApprovalView>>
  /** In the session that made the call if it is unknown there, else in the first fork where it is. */
  unknownCall(callId: string): Promise<UnknownCallView | undefined>
  /** Those nobody has settled, oldest first. */
  unknownCalls(query: OwnQuery): Promise<Page<UnknownCallView>>
}

export interface Page<T> {
  readonly items: T[]
  readonly next: string | null
}

export interface PageQuery {
  readonly limit?: number
  /** the `next` of an earlier page */
  readonly cursor?: string
}

/** A page of what one person has. */
interface OwnQuery extends PageQuery {
  readonly tenant: string
  readonly owner: string
}

export interface Family {
  /** the session all others were forked from; it may be deleted */
  readonly root: string
  readonly items: SessionView[]
}

interface SessionQuery extends OwnQuery {
  readonly archived?: boolean
  /** words that must all be in the title, in any case */
  readonly search?: string
}

export interface RoundQuery extends PageQuery {
  readonly tenant: string
  readonly owner?: string
  /** only rounds started in it, not inherited ones */
  readonly sessionId?: string
  readonly states?: readonly RoundState[]
  readonly finishReason?: FinishReason
  readonly model?: string
  readonly protocol?: Protocol
  readonly since?: number
}

interface UsageQuery {
  readonly tenant: string
  readonly owner?: string
  readonly sessionId?: string
  /** when the rounds ended: from, and before */
  readonly since?: number
  readonly until?: number
}

interface ApprovalQuery extends OwnQuery {
  readonly status?: ApprovalView['status']
}
