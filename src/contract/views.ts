import type { ApprovalRequested, ToolResult } from './call-events.ts'
import type { Citation } from './sent-prompt.ts'
import type { LaterKind, SessionCreated } from './event.ts'
import type { RoundStarted } from './round-started.ts'
import type { Usage } from './message.ts'
import type { EffectClass, FinishReason, Protocol } from './outcome.ts'
import type { Capabilities, Prices } from './model-facts.ts'
import type { ModelParams } from './model-params.ts'
import type { LayerName } from './prompt.ts'
import type { Message } from './message.ts'
import type { ToolKind } from './tool.ts'
import type { Shown } from './shown.ts'

/** A view as JSON has it: times are ISO 8601. */
export type Wire<View> = {
  [Name in keyof View]: Name extends 'at' | 'since' | `${string}At` ? Exclude<View[Name], number> | string : View[Name]
}

export interface SessionView
  extends Readonly<Pick<SessionCreated, 'alias' | 'workspaceId' | 'title' | 'model' | 'protocol'>>, ModelParams {
  readonly id: string
  readonly parent?: { readonly sessionId: string; readonly seq: number }
  readonly seq: number
  readonly archived: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** when its last own round started, or else when it was created */
  readonly usedAt: number
  /** the open round, or else the first queued message; `waitingFor` if no person can resume it */
  readonly open?: { readonly requestId: string; readonly state: OpenState; readonly waitingFor?: LaterKind }
  readonly owner: { readonly id: string; readonly tenant: string }
}

export type OpenState = 'queued' | 'running' | 'waiting' | 'paused'
export type RoundState = OpenState | 'ended'

export interface RoundView extends Readonly<Pick<RoundStarted, 'requestId' | 'protocol' | 'mode' | 'model'>> {
  readonly sessionId: string
  readonly state: RoundState
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

/** A round in a list, with its user and the title of its session. */
export interface ListedRound extends RoundView {
  readonly userId: string
  /** only for those who may read the session */
  readonly title?: string
}

/** The sum over one user's rounds with one model. */
export interface UsageView {
  readonly userId: string
  readonly model: string
  readonly rounds: number
  readonly usage: Usage
  /** micro-dollars, tools included */
  readonly cost: number
}

export interface ApprovalView extends Readonly<
  Pick<ApprovalRequested, 'callId' | 'tool' | 'args' | 'target' | 'reason' | 'rememberable' | 'shown' | 'expiresAt'>
> {
  readonly id: string
  readonly sessionId: string
  readonly requestId: string
  /** asked by a running call; `args` has the message and, for a form, its schema */
  readonly isQuestion: boolean
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'stale'
  readonly requestedAt: number
  readonly decidedBy?: string
}

/** What a person decides about, with invisible characters as numbers and rows of spaces as ␣. */
export interface ApprovalDisplay {
  readonly target: string
  /** what it would do, for people; only the arguments count */
  readonly shown: Shown
  /** the arguments as indented JSON */
  readonly args: string
  /** suspicious characters in them */
  readonly warnings: readonly string[]
  /** what "for this session" would cover; missing if it cannot be remembered */
  readonly remembers?: string
  /** must be looked at each time and cannot be approved together with others */
  readonly isDangerous: boolean
}

export interface ShownApproval extends Omit<ApprovalView, 'shown'> {
  readonly display: ApprovalDisplay
}

/** A call with an unknown effect, until a person reconciles it. */
export interface UnknownCallView extends Readonly<Pick<ToolResult, 'callId' | 'signature' | 'outcome' | 'effect'>> {
  readonly sessionId: string
  readonly requestId: string
  readonly tool: string
  readonly endedAt: number
  readonly reconciled?: boolean
}

/** The actor of a request with their permissions, and the defaults. */
export interface MeView {
  readonly id: string
  readonly tenant: string
  readonly permissions: readonly string[]
  readonly version: string
  readonly model: string
  readonly modelChosenBecause: string
  readonly protocol: Protocol
  readonly requireKey: boolean
  readonly limits: {
    readonly fileBytes: number
    readonly messageFiles: number
    readonly bodyBytes: number
    /** tokens of a governed prompt that is active */
    readonly promptTokens: number
    /** of a document that is uploaded */
    readonly documentBytes: number
  }
}

/** A prompt as it was sent; what was erased since has no text. */
export interface SentPromptView {
  readonly requestId: string
  readonly turn: number
  /** from 1; a retry that was sent something else has its own */
  readonly attempt: number
  readonly model: string
  /** the version of Segno's prompt building that made it, and whether this Segno builds the same */
  readonly renderer: number
  readonly isExact: boolean
  readonly layers: readonly { readonly name: LayerName; readonly parts: readonly SentPart[] }[]
  /** what the model was told in the round as system messages */
  readonly notes: readonly string[]
  readonly leftOut: readonly { readonly what: string; readonly tokens: number; readonly why: string }[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly jsonSchema: object }[]
  readonly parameters: {
    readonly maxOutput: number
    readonly temperature?: number
    readonly effort?: string
    readonly mayUseTools: boolean
    /** the tool that it had to call, or `required` */
    readonly toolChoice?: string
    /** the provider was given the schema of the answer */
    readonly output?: true
  }
}

export interface SentPart {
  readonly id: string
  readonly version?: number
  readonly hash: string
  readonly tokens: number
  readonly text?: string
  readonly erased?: true
  /** of a message */
  readonly role?: Message['role']
  readonly eventIds?: readonly string[]
}

/** A passage that an answer cites; its words are gone with its document. */
export interface CitedView extends Citation {
  readonly title?: string
  readonly place?: string
  readonly text?: string
  readonly erased?: true
}

/** How far finding by meaning is. */
export interface VectorView {
  /** the configured model */
  readonly model: string
  readonly hasVectors: boolean
  /** chunks that have a vector of this model */
  readonly done: number
  readonly all: number
  /** the model that questions are compared with until then, if it is another one */
  readonly searching?: string
  /** why nothing is embedded now */
  readonly failure?: string
}

/** The next prompt of a session. */
export interface PromptView {
  readonly sessionId: string
  /** all layers as one text */
  readonly systemPrompt: string
  readonly layers: readonly {
    readonly name: string
    readonly text: string
    readonly tokens: number
    readonly hash: string
  }[]
  /** the number of messages after them */
  readonly messages: number
}

/** A model; `missing` is why it cannot be chosen. */
export interface ListedModel {
  readonly key: string
  readonly provider: string
  /** the provider's name for it */
  readonly model: string
  readonly usable: boolean
  readonly missing?: string
  /** the default */
  readonly standard: boolean
  readonly window: number
  readonly maxOutput: number
  readonly capabilities: Capabilities
  /** what it can be shown, where that is known */
  readonly files?: 'none' | 'pictures' | 'documents'
  readonly prices?: Prices
  /** the day of the prices, if they are what the provider published */
  readonly pricesAsOf?: string
  readonly pricesAssumed?: boolean
  readonly fallback?: string
  /** a time; its provider failed too often and is not called before then */
  readonly leftAloneUntil?: string
  /** smaller than `window`, as its provider said in an error of the last day */
  readonly learnedWindow?: number
}

/** A built-in tool that is not offered, and how it can be. */
export interface MissingTool {
  readonly name: string
  readonly how: string
}

export interface ToolView {
  readonly name: string
  readonly description: string
  readonly kind: ToolKind
  readonly effect: EffectClass
  /** strangers described it */
  readonly foreign: boolean
  readonly inputSchema: object
}
