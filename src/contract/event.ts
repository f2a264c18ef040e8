import type { AssistantPart, FilePart, Json, JsonObject, MadeFile, Source, Usage, UserPart } from './message.ts'
import type { RoundLimits } from './limits.ts'
import type { ForcedChoice, ModelParams } from './model-params.ts'
import type { PartRef } from './prompt.ts'
import type { Shown } from './shown.ts'
import type { Quota } from './tool.ts'
import type {
  DECISIONS,
  Effect,
  EffectClass,
  FinishReason,
  Mode,
  Outcome,
  PhaseName,
  Protocol,
  RefusalCode,
  StopReason,
} from './outcome.ts'

/** All event types of a session with their data. */
export interface EventData {
  'session.created': SessionCreated
  'session.changed': {
    title?: string
    model?: string | null
    protocol?: Protocol | null
    archived?: boolean
    /** all of them from now on */
    params?: ModelParams
  }
  'session.forked': Omit<SessionCreated, 'alias' | 'imported'> & { parent: { sessionId: string; seq: number } }
  'session.archived': { by: string }
  'session.deleted': { by: string }

  'round.started': RoundStarted
  'round.asked': { what: 'cancel' | 'pause' | 'interrupt'; by: string }
  'round.waiting': { for: 'approval' | 'result'; callIds: string[]; until: number | null }
  'round.paused': { nextPhaseIndex: number | null }
  /**
   * `takeover`: a new owner found the round running; `resume`: a person resumed it; `decided`: what it waited for came
   */
  'round.resumed': {
    n: number
    turn: number
    reason: 'takeover' | 'resume' | 'decided'
    /** reserved again for the open turn, whose earlier reservation counts as spent because its owner died */
    reserved?: Reserved
    /** the previous owner was evicted, so that its calls may still be running and not finding them proves nothing */
    evicted?: true
  }
  'round.ended': {
    finishReason: FinishReason
    usage: Usage
    cost: number
    error?: string
    ignoredCalls?: number
    /** its message was cancelled while it waited, so this is its only event and another round may be open */
    unstarted?: Unstarted
  }

  'phase.started': { phase: PhaseName; phaseIndex: number; cycleIndex: number }
  'phase.ended': { phaseIndex: number; reason: PhaseEnd }
  /** `tools`: the names offered, if they differ from the previous turn's */
  'turn.started': {
    turn: number
    model: string
    last: boolean
    /** older logs: the hashes of the layers, shortened */
    layerHashes?: string[]
    /** what was sent, so that it can be rebuilt; missing in older logs */
    sent?: SentPrompt
    /** what Segno tells the model with this round's message, and from then on as part of the conversation */
    added?: AddedText[]
    /** the first event of the conversation as the model sees it; missing in older logs */
    from?: number
    tools?: string[]
    /** the source of foreign text in the prompt: a tool described by strangers, or WORKSPACE_INSTRUCTIONS */
    foreign?: string
    reserved?: Reserved
  }
  /**
   * `model`: of the next attempt, which may be a fallback; `reserved`: for this attempt. Attempt 0: a new owner goes on
   * with the turn and sends something else.
   */
  'turn.retried': {
    turn: number
    attempt: number
    reason: string
    model: string
    waitMs: number
    shown: boolean
    /** the hash of what the provider said about the failure, which is kept for those who may read traces */
    providerSaid?: string
    /** as in `turn.started`, if the next attempt is sent something else */
    from?: number
    sent?: SentPrompt
    added?: AddedText[]
    reserved?: Reserved
  }
  'turn.ended': {
    turn: number
    stopReason: StopReason
    usage: Usage
    /** micro-dollars; missing in older logs */
    cost?: number
    durationMs: number
    ignoredCalls?: number
    /** the first of the ignored calls; missing in older logs */
    ignored?: IgnoredCall[]
    /** as in `turn.retried`, if the last attempt failed */
    providerSaid?: string
  }

  /** `own`: nobody typed it; the words are Segno's, for a round that continues another, and people read CONTINUED */
  'message.user': { content: UserPart[]; redacted?: boolean; own?: true }
  'message.assistant': AssistantMessage
  'tool.call': ToolCall
  'approval.requested': ApprovalRequested
  'approval.decided': ApprovalDecided
  'tool.started': {
    callId: string
    /** of the tool; missing in older logs */
    name?: string
    idempotencyKey: string
    effect: EffectClass
    definitionHash?: string
    /** micro-dollars */
    reserved: number
    /** of a call that asks a model */
    tokens?: number
    /** characters in paths of addresses that nobody gave, after foreign text was read */
    builtChars?: number
    quota?: Quota
  }
  /** its result comes from outside, before `until`; `ref` identifies it for its tool */
  'tool.submitted': {
    callId: string
    ref: string
    until: number
    /** the actual cost in micro-dollars and tokens, if less than was reserved */
    cost?: number
    tokens?: number
  }
  'tool.result': ToolResult
  'tool.reconciled': { callId: string; signature: string; happened: boolean; by: string; note?: string }
  notice: { text: string; reason: string }
  /** Segno asks a model for something of its own, on the owner's budget */
  'model.asked': { askId: string; purpose: Purpose; model: string; because: string; reserved?: Reserved }
  /** `failed`: why nothing came of it, as a sentence without content */
  'model.answered': {
    askId: string
    purpose: Purpose
    usage: Usage
    cost?: number
    durationMs: number
    failed?: string
  }
  /** stands for everything up to event `upTo`; `by`: who asked for it, missing if nobody had to */
  'compact.summary': { text: string; upTo: number; model?: string; by?: string; saved?: number }
  /** `imported`: elsewhere, and what follows was written there too */
  'context.cleared': { by: string; imported?: true }
  /** `seq`: the number of the deleted event; missing in older logs */
  'message.deleted': { target: string; by: string; seq?: number }
}

/** What Segno itself asks models for. */
export const PURPOSES = ['summary', 'title'] as const
export type Purpose = (typeof PURPOSES)[number]

/** Everything besides the log that a prompt is made from. */
export interface SentPrompt {
  /** which version of Segno's prompt building made it */
  renderer: number
  parts: PartRef[]
  /** the number of the summary in force, if there is one */
  summary?: number
  /** something before `from` is left out without a summary */
  cut?: true
  /** calls whose results were shortened, and those shown without their files */
  shortened?: string[]
  withoutFiles?: string[]
  /** the hash of the definitions of the offered tools, which are stored as a part */
  tools?: string
  params: SentParams
}

export interface SentParams {
  maxOutput: number
  temperature?: number
  effort?: string
  mayUseTools: boolean
  /** if the model has to call a tool */
  toolChoice?: ForcedChoice
  /** the provider is given the schema of the answer, which is that of the round */
  output?: true
  /**
   * the answer up to which the model's own thoughts are left out, because its provider refused them; true: all of them
   * (older logs)
   */
  withoutThoughts?: string | true
  /** bytes of files it may have */
  fileBytes: number
}

/** A text of Segno's own, such as the date. */
export interface AddedText {
  id: string
  text: string
}

/** The value of `turn.started.foreign` for untrusted instructions; no tool can have this name. */
export const WORKSPACE_INSTRUCTIONS = 'instructions of the workspace'

/** Reserved from a daily budget for a model call; only where there is a budget. */
export interface Reserved {
  tokens: number
  /** micro-dollars */
  cost: number
}

interface Unstarted extends Pick<RoundStarted, 'protocol' | 'mode' | 'model'> {
  /** when its message was stored */
  queuedAt: number
}

/**
 * A call that was not executed: it came after the one that counts, tools were not allowed, it has no name, or the turn
 * was cut.
 */
export interface IgnoredCall {
  name: string
  reason: 'after_first' | 'no_tools' | 'no_name' | 'incomplete'
}

export interface ActorRef {
  id: string
  tenant: string
}

export interface SessionCreated {
  actor: ActorRef
  workspaceId: string
  title: string
  alias?: string
  model?: string
  protocol?: Protocol
  params?: ModelParams
  /** its first events come from another system */
  imported?: true
  /** the draft of a prompt that its author tries here, in plan mode only */
  promptId?: string
}

export interface RoundStarted {
  requestId: string
  actor: ActorRef
  permissions: string[]
  protocol: Protocol
  mode: Mode
  model: string
  limits: RoundLimits
  toolResultsAs: 'system' | 'tool'
  /** false when nobody can be asked, so that every ask is a denial */
  attended: boolean
  /** how its message came in; missing in older logs */
  channel?: string
  /** false: no tools; a list: only these, if they are allowed anyway */
  enableTools?: EnableTools
  /** fewer retries of failed model calls, if the sender wants that */
  retryOptions?: RetryOptions
  /** how the model is to answer, where that is not as usual */
  params?: ModelParams
  /** the round it continues, which ended at a count limit and whose calls it does not repeat */
  continues?: string
}

export type EnableTools = boolean | readonly string[]

export const RETRYABLE_ERRORS = ['RATE_LIMITED', 'TEMPORARY_FAILURE'] as const

export interface RetryOptions {
  /** at most the configured number */
  readonly maxRetries?: number
  /** the first wait, at least the configured one */
  readonly backoffMs?: number
  /** the errors that are retried; default both */
  readonly retryableErrors?: readonly (typeof RETRYABLE_ERRORS)[number][]
}

export interface AssistantMessage {
  turn: number
  content: AssistantPart[]
  /** what the model made besides words, and what it refers to */
  files?: MadeFile[]
  sources?: Source[]
  stopReason: StopReason
  usage: Usage
  /** the answer of the round */
  final: boolean
  /** the turn was stopped, and this is its text so far */
  interrupted?: boolean
  /** what is wrong with an answer that does not fit its schema */
  misfit?: string
  /** the text is Segno's own, such as a stop notice */
  own?: boolean
  redacted?: boolean
}

interface ToolCall {
  callId: string
  turn: number
  name: string
  args: JsonObject
  raw?: string
  signature: string
}

export interface ApprovalRequested {
  approvalId: string
  callId: string
  tool: string
  args: JsonObject
  argsHash: string
  definitionHash: string
  target: string
  reason: string
  rememberable: boolean
  expiresAt: number
  /** how its tool shows the call; missing if that is a table of its arguments */
  shown?: Shown
  /** an earlier approval that no longer holds, because the call has changed */
  replaces?: string
  /** asked by a running call; its answer may have content */
  question?: { message: string; schema?: JsonObject }
}

export interface ApprovalDecided {
  approvalId: string
  callId: string
  decision: (typeof DECISIONS)[number]
  by: string
  reason?: string
  remember?: 'session'
  content?: JsonObject
}

export interface ToolResult {
  callId: string
  name: string
  signature: string
  outcome: Outcome
  code?: RefusalCode | 'EXPIRED' | 'UNATTENDED' | 'OUTPUT_LIMIT'
  effect: Effect
  content: string
  /** hash of the whole output, if `content` was cut */
  blob?: string
  /** characters left out of `content` */
  cut?: number
  files?: readonly FilePart[]
  durationMs: number
  cost: number
  /** used by a model the tool asked */
  tokens?: number
  /** every word is Segno's or the tool's own; anything else is foreign text and taints */
  own?: boolean
  meta?: Json
}

export type PhaseEnd = 'executed' | 'not_executed' | 'allowed' | 'answered' | 'closed'

export type EventType = keyof EventData

/** A stored, numbered event; `at` is milliseconds since 1970. */
export type StoredEvent = { [T in EventType]: EventOf<T> }[EventType]

export interface EventOf<T extends EventType> {
  readonly id: string
  readonly sessionId: string
  readonly seq: number
  readonly type: T
  readonly v: number
  readonly at: number
  readonly requestId: string | null
  /** of an event of a round: running time since the previous one in milliseconds; missing in older logs */
  readonly ms?: number
  readonly data: EventData[T]
}

/** An event that is not stored yet: with an id and a time, but no number. */
export type NewEvent = { [T in EventType]: Omit<EventOf<T>, 'seq' | 'sessionId'> }[EventType]

/** An event from pure code; the loop adds its id and time. */
export type EventDraft = {
  [T in EventType]: {
    readonly type: T
    readonly data: EventData[T]
    /** its round, if that is not the open one */
    readonly requestId?: string
  }
}[EventType]

export function draftEvent<T extends EventType>(type: T, data: EventData[T]): EventDraft {
  return { type, data } as EventDraft
}

export function filesOf(event: NewEvent | StoredEvent): readonly FilePart[] {
  if (event.type === 'message.user') return event.data.content.filter((part) => part.type === 'file')
  return event.type === 'tool.result' || event.type === 'message.assistant' ? (event.data.files ?? []) : []
}
