import type { Usage } from './message.ts'
import type { FinishReason } from './outcome.ts'

/** One model call of a round as a follower sees it: everything it has said so far. */
export interface Turn {
  readonly turnId: string
  readonly requestId: string
  readonly index: number
  readonly status: 'streaming' | 'completed' | 'error'
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly TurnCall[]
  readonly usage?: Usage
  /** micro-dollars, once it has ended */
  readonly cost?: number
  readonly startedAt: number
  readonly endedAt?: number
}

export interface TurnCall {
  readonly callId: string
  readonly name: string
  /** as far as they have come, while the turn is streaming */
  readonly args: string
  readonly outcome?: string
}

/** How a round ended. `finishReason` is null when Segno was closed before it did: the next start goes on with it. */
export interface Completion {
  readonly requestId: string
  readonly sessionId: string
  readonly content: string
  readonly finishReason: FinishReason | null
  readonly usage: Usage
  readonly cost: number
  readonly calls: readonly {
    readonly callId: string
    readonly name: string
    readonly outcome: string
    readonly effect: string
  }[]
  readonly error?: string
}
