import type { ToolResult } from './call-events.ts'
import type { JsonObject, Usage } from './message.ts'
import type { FinishReason } from './outcome.ts'

/** One model call of a round with everything it has said so far. */
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
  /** incomplete while the turn is streaming */
  readonly args: string
  readonly outcome?: string
}

/** How a round ended; `finishReason` is null if Segno was closed first, and the next start continues it. */
export interface Completion {
  readonly requestId: string
  readonly sessionId: string
  readonly content: string
  readonly finishReason: FinishReason | null
  readonly usage: Usage
  readonly cost: number
  readonly calls: readonly Readonly<Pick<ToolResult, 'callId' | 'name' | 'outcome' | 'effect'>>[]
  readonly error?: string
  /** the answer as an object, if one was asked for and it fits */
  readonly output?: JsonObject
}
