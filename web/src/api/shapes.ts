import type { EventData, EventType } from '../../../src/contract/event.ts'
import type { JsonObject, Message, Usage } from '../../../src/contract/message.ts'
import type { FinishReason, Mode, Protocol } from '../../../src/contract/outcome.ts'
import type { ApprovalDisplay } from '../../../src/contract/views.ts'

/** What the server answers, as far as the page looks at it. Times are ISO 8601. */

export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export type OpenState = 'queued' | 'running' | 'waiting' | 'paused'

export interface Session {
  readonly id: string
  readonly workspaceId: string
  readonly title: string
  readonly model?: string
  readonly protocol?: Protocol
  readonly parent?: { readonly sessionId: string; readonly seq: number }
  readonly seq: number
  readonly archived: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** when its last own round started, else when it was made: lists have the last used first */
  readonly usedAt: string
  readonly open?: { readonly requestId: string; readonly state: OpenState }
}

export interface Me {
  readonly id: string
  readonly tenant: string
  readonly permissions: readonly string[]
  readonly version: string
  readonly model: string
  readonly modelChosenBecause: string
  readonly protocol: Protocol
  readonly requireKey: boolean
  readonly limits: { readonly fileBytes: number; readonly messageFiles: number; readonly bodyBytes: number }
}

export interface RoundSummary {
  readonly requestId: string
  readonly sessionId: string
  readonly title?: string
  readonly userId: string
  readonly state: OpenState | 'ended'
  readonly protocol: Protocol
  readonly mode: Mode
  readonly model: string
  readonly waitingFor?: string
  readonly usage: Usage
  readonly cost: number
  readonly finishReason?: FinishReason
  readonly startedAt: string
  readonly endedAt?: string
}

export interface Approval {
  readonly id: string
  readonly sessionId: string
  readonly requestId: string
  readonly callId: string
  readonly tool: string
  readonly args: JsonObject
  readonly target: string
  readonly reason: string
  readonly rememberable: boolean
  readonly isQuestion: boolean
  readonly display: ApprovalDisplay
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'stale'
  readonly requestedAt: string
  readonly expiresAt: string
  readonly decidedBy?: string
}

export interface DoubtfulCall {
  readonly callId: string
  readonly sessionId: string
  readonly requestId: string
  readonly tool: string
  readonly outcome: string
  readonly effect: string
  readonly endedAt?: string
}

export interface Model {
  readonly key: string
  readonly provider: string
  readonly model: string
  readonly usable: boolean
  readonly missing?: string
  readonly standard: boolean
  readonly window: number
  readonly maxOutput: number
  readonly prices?: { readonly input: number; readonly output: number }
  readonly fallback?: string
  readonly leftAloneUntil?: string
}

export interface Prompt {
  readonly sessionId: string
  readonly systemPrompt: string
  readonly layers: readonly {
    readonly name: string
    readonly text: string
    readonly tokens: number
    readonly hash: string
  }[]
  readonly messages: number
}

export interface UsageLine {
  readonly userId: string
  readonly model: string
  readonly rounds: number
  readonly usage: Usage
  readonly cost: number
}

export type Messages = { readonly items: readonly Message[] }

/** Without `?outputs=1` the result of a tool has `chars`, how long it is, in the place of its `content`. */
interface WireData extends Omit<EventData, 'tool.result'> {
  'tool.result': Omit<EventData['tool.result'], 'content'> & { readonly content?: string; readonly chars?: number }
}

export type WireEvent = { [T in EventType]: WireEventOf<T> }[EventType]

export interface WireEventOf<T extends EventType> {
  readonly seq: number
  readonly type: T
  readonly id: string
  readonly sessionId: string
  readonly requestId: string | null
  readonly turn: number | null
  readonly phase?: string
  readonly phaseIndex?: number
  readonly cycleIndex?: number
  readonly at: string
  readonly data: WireData[T]
}

export interface Delta {
  readonly requestId: string
  readonly turn: number
  readonly kind: 'text' | 'reasoning' | 'args' | 'output'
  readonly callId?: string
  readonly name?: string
  readonly offset: number
  readonly text: string
}
