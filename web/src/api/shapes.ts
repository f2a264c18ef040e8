import type { EventData, EventType } from '../../../src/contract/event.ts'
import type { Message } from '../../../src/contract/message.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import type { ListedRound, SessionView, ShownApproval } from '../../../src/contract/views.ts'

/** What the server answers, as far as the page looks at it. Times are ISO 8601. */

/** Something the server knows, with its times in words. */
type OnWire<T, Times extends keyof T> = Omit<T, Times> & { [K in keyof Pick<T, Times>]: string }

export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export type Session = OnWire<Omit<SessionView, 'owner'>, 'createdAt' | 'updatedAt' | 'usedAt'>

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

export type RoundSummary = OnWire<Omit<ListedRound, 'startSeq' | 'endSeq'>, 'startedAt' | 'endedAt'>

export type Approval = OnWire<ShownApproval, 'requestedAt' | 'expiresAt'>

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
  readonly pricesAssumed?: boolean
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
