import type { JsonObject, Usage } from './message.ts'
import type { Effect, FinishReason, Mode, Outcome, Protocol } from './outcome.ts'

/** What a reader sees of a session, a round, an approval, a call: projections of the log. */
export interface SessionView {
  readonly id: string
  readonly alias?: string
  readonly workspaceId: string
  readonly title: string
  readonly model?: string
  readonly protocol?: Protocol
  readonly parent?: { readonly sessionId: string; readonly seq: number }
  readonly seq: number
  readonly archived: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** when its last own round started, else when it was made */
  readonly usedAt: number
  /** the round that has not ended (`waitingFor`: no person can help it on), or else the first message that waits to become one */
  readonly open?: { readonly requestId: string; readonly state: OpenState; readonly waitingFor?: 'result' }
  readonly owner: { readonly id: string; readonly tenant: string }
}

export type OpenState = 'queued' | 'running' | 'waiting' | 'paused'
export type RoundState = OpenState | 'ended'

export interface RoundView {
  readonly requestId: string
  readonly sessionId: string
  readonly state: RoundState
  readonly protocol: Protocol
  readonly mode: Mode
  readonly model: string
  readonly waitingFor?: string
  /** 0 while it is queued */
  readonly startSeq: number
  readonly endSeq?: number
  readonly usage: Usage
  readonly cost: number
  readonly finishReason?: FinishReason
  readonly startedAt: number
  readonly endedAt?: number
}

/** A round in a list of many, with whose it is and what its session is called. */
export interface ListedRound extends RoundView {
  readonly userId: string
  /** only for who may read the session */
  readonly title?: string
}

/** What one user had of one model: the sum over their rounds. */
export interface UsageView {
  readonly userId: string
  readonly model: string
  readonly rounds: number
  readonly usage: Usage
  /** micro-dollars, tools included */
  readonly cost: number
}

export interface ApprovalView {
  readonly id: string
  readonly sessionId: string
  readonly requestId: string
  readonly callId: string
  readonly tool: string
  readonly args: JsonObject
  readonly target: string
  readonly reason: string
  readonly rememberable: boolean
  /** asked by a call while it runs: `args` hold the message and, if something is to be filled in, its schema */
  readonly isQuestion: boolean
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'stale'
  readonly requestedAt: number
  readonly expiresAt: number
  readonly decidedBy?: string
}

/** What a person decides about, all of it, with characters that cannot be seen written as numbers, rows of spaces as ␣. */
export interface ApprovalDisplay {
  readonly target: string
  /** as indented JSON */
  readonly args: string
  /** what is odd about them */
  readonly warnings: readonly string[]
  /** what "for this session" would cover; left out where nothing can be remembered */
  readonly remembers?: string
}

export interface ShownApproval extends ApprovalView {
  readonly display: ApprovalDisplay
}

/** A call whose effect on the world is not known, until a person reconciles it. */
export interface UnknownCallView {
  readonly callId: string
  readonly sessionId: string
  readonly requestId: string
  readonly tool: string
  readonly signature: string
  readonly outcome: Outcome
  readonly effect: Effect
  readonly endedAt: number
  readonly reconciled?: boolean
}
