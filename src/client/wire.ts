import type { EventData, EventType } from '../contract/event.ts'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import type { Document } from '../contract/knowledge.ts'
import type { Memory } from '../contract/memory.ts'
import type { JsonObject, MessageContent } from '../contract/message.ts'
import type { ModelParams, ParamChanges } from '../contract/model-params.ts'
import type { Mode, Outcome, Protocol } from '../contract/outcome.ts'
import type { ProviderView } from '../contract/provider.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Turn } from '../contract/turn.ts'
import type { ContextView, Workspace } from '../contract/workspace.ts'
import type { ListedRound, SessionView, ShownApproval, UnknownCallView, Wire } from '../contract/views.ts'

export interface Page<T, Next = string> {
  readonly items: readonly T[]
  readonly next: Next | null
}

export type Session = Wire<Omit<SessionView, 'owner'>>
export type Approval = Wire<ShownApproval>
export type RoundSummary = Wire<Omit<ListedRound, 'startSeq' | 'endSeq'>>
export type PromptVersion = Wire<Omit<GovernedPrompt, 'tenant'>>
export type ShownWorkspace = Wire<Omit<Workspace, 'tenant'>>
export type WorkspaceContext = Wire<ContextView>
export type KnowledgeDocument = Wire<Omit<Document, 'tenant'>>
export type OwnMemory = Wire<Omit<Memory, 'tenant' | 'userId'>>
export type Provider = Wire<ProviderView>
export type DoubtfulCall = Wire<Omit<UnknownCallView, 'signature' | 'reconciled'>>

export interface Round extends Omit<RoundSummary, 'userId' | 'title'> {
  readonly turns: readonly Wire<Pick<Turn, 'index' | 'status' | 'content' | 'startedAt' | 'endedAt'>>[]
  readonly calls: readonly {
    readonly callId: string
    readonly tool: string
    readonly outcome: Outcome | 'open'
    readonly effect: string
    readonly code?: string
    readonly durationMs?: number
    readonly cost?: number
  }[]
  /** the answer as an object, if one was asked for and it fits */
  readonly output?: JsonObject
}

/** What came of encrypting all stored secrets with a new key. */
export interface Rotated {
  readonly key: string
  readonly secrets: number
  /** the key file could not be written, and still has the earlier keys */
  readonly keepsEarlier: boolean
}

/** An entry of a trace; `type` says which other fields it has. */
export interface TraceItem {
  readonly at: string
  readonly type: string
  readonly turn?: number
  readonly attempt?: number
  /** of `model_call_failed`: what the provider said */
  readonly said?: string
}

export interface NewSession extends ModelParams {
  readonly title?: string
  readonly model?: string
  readonly protocol?: Protocol
  readonly workspaceId?: string
}

/** null resets to the default */
export interface SessionChanges extends ParamChanges {
  readonly title?: string
  readonly archived?: boolean
  readonly model?: string | null
  readonly protocol?: Protocol | null
}

export interface NewMessage extends ModelParams {
  readonly content: MessageContent
  readonly mode?: Mode
  readonly model?: string
  readonly onBusy?: 'queue' | 'reject' | 'interrupt'
}

export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session'
  readonly reason?: string | undefined
  readonly content?: object
}

/** Without `outputs`, a tool result has `chars`, its length, instead of `content`. */
interface WireData extends Omit<EventData, 'tool.result'> {
  'tool.result': Omit<EventData['tool.result'], 'content'> & { readonly content?: string; readonly chars?: number }
}

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

export type WireEvent = { [T in EventType]: WireEventOf<T> }[EventType]

/** A piece of text from `offset` on; never stored. */
export type Delta = Omit<Extract<Pulse, { type: 'delta' }>, 'type' | 'sessionId' | 'after'>

/** `reset`: the turn starts over, and its deltas are void. */
export type Frame =
  | { readonly kind: 'event'; readonly event: WireEvent }
  | { readonly kind: 'delta'; readonly delta: Delta }
  | { readonly kind: 'reset'; readonly requestId: string; readonly turn: number }
