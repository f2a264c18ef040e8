import type { StoredEvent } from '../../src/contract/event.ts'
import type { EffectClass, Protocol } from '../../src/contract/outcome.ts'
import type { CheckReport } from '../../src/store/index.ts'
import type { FaultName } from './faults.ts'
import type { PointName } from './points.ts'

/** One message and what comes of it: a round of this protocol with calls of this class. */
export interface Episode {
  /** unique in its home; the message, its id and the arguments of its calls are made of it */
  readonly id: string
  readonly protocol: Protocol
  readonly effect: EffectClass
  readonly calls: 1 | 2
  /**
   * Something of its own does it: a command in the sandbox, an MCP server, or a workflow, whose result comes later. Such
   * a call always asks first.
   */
  readonly by?: 'bash' | 'mcp' | 'workflow'
  /** the MCP server is killed in the middle, once */
  readonly serverDies?: 'before' | 'after'
  /** the call asks the person something while it runs */
  readonly question?: boolean
  /** the work of the call is handed over, and its result given once its round waits for it */
  readonly later?: boolean
  /** what the person at the channel says; without it nobody is asked */
  readonly decision?: 'approve' | 'deny'
  /**
   * A fork is made: while the call waits for its approval, from inside the running tool, or after the round at any
   * event of it or at the message that asks for the call.
   */
  readonly fork?: 'waiting' | 'running' | 'ended' | 'asked'
  /** the first call does not fit its schema */
  readonly misfit?: boolean
  /** so many other sessions talk at the same time and share the commits */
  readonly bystanders?: number
  /** the person stops the round while its first tool runs */
  readonly cancel?: boolean
  /** a second message is sent while the first one is being answered, and waits or takes its place */
  readonly second?: 'queue' | 'interrupt'
  /** milliseconds between two deltas, so that a blow from outside can hit something */
  readonly drag?: number
  /** milliseconds a tool takes before and after its effect */
  readonly toolMs?: number
}

/** Where the process kills itself: the `nth` time it comes to the point. */
export interface Kill {
  readonly point: PointName
  readonly nth: number
}

export interface Step {
  readonly episode: Episode
  readonly kill?: Kill
}

/** What one process does from its start to its end or its death. */
export interface Life {
  readonly home: string
  readonly ledger: string
  readonly steps: readonly Step[]
  readonly known: Known
  readonly durability?: 'full' | 'normal'
  readonly drainMs?: number
  readonly fault?: FaultName
  /** how long an episode may take before it counts as stuck */
  readonly patienceMs?: number
}

/** What the outside remembers from earlier lives: nobody asks twice for what was acknowledged. */
export interface Known {
  /** last number heard, by session */
  readonly after: Record<string, number>
  readonly decided: string[]
  /** calls whose result was acknowledged */
  readonly answered: string[]
  /** episodes whose fork was acknowledged */
  readonly forked: string[]
}

/** What a process said to the outside, in this order. Each line was written before the process went on. */
export type Heard =
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'accepted'; readonly sessionId: string; readonly requestId: string; readonly messageId: string }
  | { readonly type: 'event'; readonly event: StoredEvent }
  | {
      readonly type: 'decided'
      readonly sessionId: string
      readonly approvalId: string
      readonly decision: 'approve' | 'deny'
    }
  | { readonly type: 'result'; readonly sessionId: string; readonly callId: string; readonly content: string }
  | { readonly type: 'cancelled'; readonly sessionId: string; readonly requestId: string }
  | {
      readonly type: 'forked'
      readonly episode: string
      readonly sessionId: string
      readonly parent: { readonly sessionId: string; readonly seq: number }
    }
  | { readonly type: 'answered'; readonly requestId: string; readonly finishReason: string | null; content: string }
  /** a message that came while the process was leaving */
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'dying'; readonly point: PointName }
  | { readonly type: 'missed'; readonly point: PointName }
  | { readonly type: 'stuck'; readonly episode: string; readonly why: string; readonly state: State }
  | { readonly type: 'state'; readonly state: State }

/** The store as it is once an episode is over. */
export interface State {
  readonly sessions: readonly SessionLog[]
  /** approvals that wait for somebody */
  readonly pending: readonly string[]
  readonly check: CheckReport
}

export interface SessionLog {
  readonly id: string
  readonly parent?: { readonly sessionId: string; readonly seq: number }
  readonly events: readonly StoredEvent[]
}

export const MAIN = 'chaos'

export const messageOf = (episode: Episode): string => `episode ${episode.id}: please do it`
export const messageIdOf = (episode: Episode): string => `episode-${episode.id}`
export const secondMessageOf = (episode: Episode): string => `one more behind ${episode.id}`
export const nextMessageOf = (episode: Episode): string => `after ${episode.id}: are you there?`
