import type { AssistantPart, FilePart, Json, JsonObject, Usage, UserPart } from './message.ts'
import type { RoundLimits } from './limits.ts'
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

/** Every fact a session can hold. The key is the event type, the value what it says. */
export interface EventData {
  'session.created': SessionCreated
  'session.changed': { title?: string; model?: string | null; protocol?: Protocol | null; archived?: boolean }
  'session.forked': Omit<SessionCreated, 'alias'> & { parent: { sessionId: string; seq: number } }
  'session.archived': { by: string }
  'session.deleted': { by: string }

  'round.started': RoundStarted
  'round.asked': { what: 'cancel' | 'pause' | 'interrupt'; by: string }
  'round.waiting': { for: 'approval' | 'result'; callIds: string[]; until: number | null }
  'round.paused': { nextPhaseIndex: number | null }
  /** `takeover`: a new owner found the round running. `resume`: a person let it go on. `decided`: what it waited for came. */
  'round.resumed': {
    n: number
    turn: number
    reason: 'takeover' | 'resume' | 'decided'
    /** the open turn died with its owner: what it had set aside counts as spent, and this is set aside for it anew */
    reserved?: Reserved
  }
  'round.ended': {
    finishReason: FinishReason
    usage: Usage
    cost: number
    error?: string
    ignoredCalls?: number
    /** its message was cancelled while it waited: this is the only event of the round, and another one may be open */
    unstarted?: Unstarted
  }

  'phase.started': { phase: PhaseName; phaseIndex: number; cycleIndex: number }
  'phase.ended': { phaseIndex: number; reason: PhaseEnd }
  /** `tools`: the names offered, where they differ from those of the turn before */
  'turn.started': {
    turn: number
    model: string
    last: boolean
    layerHashes: string[]
    /** the number of the event where the conversation as the model is shown it begins; older logs do not say */
    from?: number
    tools?: string[]
    /** whose words the model reads besides the conversation: a tool that strangers described, or WORKSPACE_INSTRUCTIONS */
    foreign?: string
    reserved?: Reserved
  }
  /** `model`: the one that is asked next, another one where a fallback takes over; `reserved` is for this attempt */
  'turn.retried': {
    turn: number
    attempt: number
    reason: string
    model: string
    waitMs: number
    shown: boolean
    /** as of `turn.started`: another model is shown as much as fits its own window */
    from?: number
    reserved?: Reserved
  }
  'turn.ended': {
    turn: number
    stopReason: StopReason
    usage: Usage
    /** micro-dollars; older logs do not say */
    cost?: number
    durationMs: number
    ignoredCalls?: number
    /** which calls those were, the first ones of many; older logs do not say */
    ignored?: IgnoredCall[]
  }

  'message.user': { content: UserPart[]; redacted?: boolean }
  'message.assistant': AssistantMessage
  'tool.call': ToolCall
  'approval.requested': ApprovalRequested
  'approval.decided': ApprovalDecided
  'tool.started': {
    callId: string
    /** of the tool; older logs do not say */
    name?: string
    idempotencyKey: string
    effect: EffectClass
    definitionHash?: string
    /** micro-dollars set aside */
    reserved: number
    /** tokens set aside, of a call that asks a model */
    tokens?: number
    /** characters in the paths of addresses that nobody had named, of a call made after text from outside was read */
    builtChars?: number
    /** how often its tool may be called */
    quota?: Quota
  }
  /** its result comes from outside, until then at the latest; `ref` is what its tool knows it by */
  'tool.submitted': {
    callId: string
    ref: string
    until: number
    /** micro-dollars, and tokens, it has cost, where that is less than was set aside */
    cost?: number
    tokens?: number
  }
  'tool.result': ToolResult
  'tool.reconciled': { callId: string; signature: string; happened: boolean; by: string; note?: string }
  notice: { text: string; reason: string }
  'compact.summary': { text: string; upTo: number }
  'context.cleared': { by: string }
  'message.deleted': { target: string; by: string }
}

/** In `turn.started.foreign`: somebody else wrote them who may not. No tool can have this name. */
export const WORKSPACE_INSTRUCTIONS = 'instructions of the workspace'

/** Set aside of a daily budget for a model call that may use this much; only where there is a budget. */
export interface Reserved {
  tokens: number
  /** micro-dollars */
  cost: number
}

/** What is known of a round that never started. */
export interface Unstarted extends Pick<RoundStarted, 'protocol' | 'mode' | 'model'> {
  /** when its message was stored */
  queuedAt: number
}

/**
 * A call of a turn that was not taken: it came after the one that counts, tools may not be used any more, it has no name,
 * or its turn broke off before it was complete.
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
  /** false when no one can be asked: every ask is then a denial */
  attended: boolean
  /** the way its message came in; older logs do not say */
  channel?: string
}

export interface AssistantMessage {
  turn: number
  content: AssistantPart[]
  stopReason: StopReason
  usage: Usage
  /** the answer of the round */
  final: boolean
  /** the text is what had come when the turn was stopped */
  interrupted?: boolean
  /** the text is Segno's own (a stop notice), not a model's */
  own?: boolean
  redacted?: boolean
}

export interface ToolCall {
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
  /** an approval that was given and does not hold any more: what would be done has changed */
  replaces?: string
  /** asked by the call while it runs, rather than before it starts; its answer may have content */
  question?: { message: string; schema?: JsonObject }
}

export interface ApprovalDecided {
  approvalId: string
  callId: string
  decision: (typeof DECISIONS)[number]
  by: string
  reason?: string
  remember?: 'session'
  /** the answer to a question of a running call */
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
  /** hash of the whole output, when `content` had to be cut */
  blob?: string
  /** characters left out of `content` */
  cut?: number
  files?: readonly FilePart[]
  durationMs: number
  cost: number
  /** that a model it asked has used */
  tokens?: number
  /** every word of it is Segno's own or its tool's; anything else is data from outside, and taints */
  own?: boolean
  meta?: Json
}

export type { StopReason }
export type PhaseEnd = 'executed' | 'not_executed' | 'allowed' | 'answered' | 'closed'

export type EventType = keyof EventData

/** A stored, numbered fact. `at` is milliseconds since 1970. */
export type StoredEvent = { [T in EventType]: EventOf<T> }[EventType]

export interface EventOf<T extends EventType> {
  readonly id: string
  readonly sessionId: string
  readonly seq: number
  readonly type: T
  readonly v: number
  readonly at: number
  /** the round it belongs to, if any */
  readonly requestId: string | null
  /** of an event of a round: driving time since the one before, in milliseconds; older logs do not say */
  readonly ms?: number
  readonly data: EventData[T]
}

/** A fact that has not been stored yet: it has an id and a time but no number. */
export type NewEvent = { [T in EventType]: Omit<EventOf<T>, 'seq' | 'sessionId'> }[EventType]

/** What pure code says has happened; the loop adds id and time. */
export type Happening = {
  [T in EventType]: {
    readonly type: T
    readonly data: EventData[T]
    /** the round it is about, where that is not the open one */
    readonly requestId?: string
  }
}[EventType]

export function happened<T extends EventType>(type: T, data: EventData[T]): Happening {
  return { type, data } as Happening
}

/** The files an event names. */
export function filesOf(event: NewEvent | StoredEvent): readonly FilePart[] {
  if (event.type === 'message.user') return event.data.content.filter((part) => part.type === 'file')
  return event.type === 'tool.result' ? (event.data.files ?? []) : []
}
