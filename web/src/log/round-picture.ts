import type { FilePart, JsonObject, Usage, UserPart } from '../../../src/contract/message.ts'
import type { StopReason } from '../../../src/contract/event.ts'
import type { Effect, EffectClass, FinishReason, Mode, Outcome, Protocol } from '../../../src/contract/outcome.ts'

/** A round as people see it: made from its stored events and nothing else. Times are milliseconds since 1970. */
export interface RoundPicture {
  readonly requestId: string
  /** `begun` is missing while its first events are not loaded */
  readonly begun?: {
    readonly seq: number
    readonly at: number
    readonly model: string
    readonly protocol: Protocol
    readonly mode: Mode
  }
  readonly state: 'running' | 'waiting' | 'paused' | 'ended'
  readonly user?: {
    readonly eventId: string
    readonly seq: number
    readonly at: number
    readonly content: readonly UserPart[]
  }
  /** in the order in which they began */
  readonly steps: readonly Step[]
  readonly phases: readonly Phase[]
  /** times in which it rested: for an answer of a person or a result, paused, or without an owner after a crash */
  readonly rests: readonly Rest[]
  readonly asked: readonly {
    readonly what: 'cancel' | 'pause' | 'interrupt'
    readonly at: number
    readonly by: string
  }[]
  readonly finish?: Finish
  readonly firstSeq: number
  readonly lastSeq: number
  readonly lastAt: number
}

export type Step = TurnStep | CallStep | NoticeStep

export interface TurnStep {
  readonly kind: 'turn'
  readonly turn: number
  readonly seq: number
  readonly model: string
  readonly startedAt: number
  readonly endedAt?: number
  readonly retries: readonly {
    readonly at: number
    readonly reason: string
    readonly model: string
    readonly waitMs: number
  }[]
  /** once it is stored */
  readonly said?: Said
  readonly stopReason?: StopReason
  readonly usage?: Usage
  readonly cost?: number
}

export interface Said {
  readonly eventId: string
  readonly seq: number
  readonly text: string
  readonly reasoning: string
  readonly final: boolean
  readonly interrupted: boolean
  /** Segno's own words, not a model's */
  readonly own: boolean
}

export interface CallStep {
  readonly kind: 'call'
  readonly callId: string
  readonly name: string
  readonly args: JsonObject
  /** the arguments as the model wrote them, where they could not be read */
  readonly raw?: string
  readonly turn: number
  readonly seq: number
  readonly askedAt: number
  readonly startedAt?: number
  /** its work was handed over: the result comes later */
  readonly submittedAt?: number
  readonly effectClass?: EffectClass
  readonly approval?: CallApproval
  readonly result?: CallResult
  readonly reconciled?: { readonly happened: boolean; readonly by: string; readonly note?: string }
}

export interface CallApproval {
  readonly id: string
  readonly status: 'pending' | 'approve' | 'deny' | 'expired' | 'stale'
  readonly requestedAt: number
  readonly decidedAt?: number
  readonly by?: string
  readonly reason: string
  readonly target: string
  readonly isQuestion: boolean
}

export interface CallResult {
  readonly eventId: string
  readonly outcome: Outcome
  readonly code?: string
  readonly effect: Effect
  /** missing while outputs are not shown */
  readonly content?: string
  readonly chars?: number
  readonly cut?: number
  readonly files: readonly FilePart[]
  readonly at: number
  readonly durationMs: number
  readonly cost: number
}

export interface NoticeStep {
  readonly kind: 'notice'
  readonly seq: number
  readonly at: number
  readonly text: string
  readonly reason: string
}

export interface Phase {
  readonly phase: string
  readonly index: number
  readonly cycle: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly reason?: string
}

export interface Rest {
  readonly why: 'approval' | 'result' | 'paused' | 'takeover'
  readonly from: number
  readonly to?: number
}

export interface Finish {
  readonly reason: FinishReason
  /** its message was cancelled while it waited, and is in no log */
  readonly unstarted?: true
  readonly at: number
  readonly usage: Usage
  readonly cost: number
  readonly error?: string
}
