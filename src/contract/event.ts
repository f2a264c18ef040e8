import type { ActorRef } from './actor.ts'
import type { ApprovalDecided, ApprovalRequested, ToolCall, ToolResult } from './call-events.ts'
import type { AssistantPart, FilePart, MadeFile, Source, Usage, UserPart } from './message.ts'
import type { ModelParams } from './model-params.ts'
import type { EffectClass, FinishReason, PhaseName, Protocol, StopReason } from './outcome.ts'
import type { RoundStarted } from './round-started.ts'
import type { AddedText, Citation, Retrieved, SentPrompt } from './sent-prompt.ts'
import type { Quota } from './tool.ts'

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
  'round.waiting': { for: 'approval' | LaterKind; callIds: string[]; until: number | null }
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
    /** what was looked up for this round; told with its message like `added` */
    retrieved?: Retrieved[]
    /** the first event of the conversation as the model sees it; missing in older logs */
    from?: number
    tools?: string[]
    /** the source of foreign text in the prompt: a tool described by strangers, or WORKSPACE_… */
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
    retrieved?: Retrieved[]
    foreign?: string
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
    /** it notes something about the user, so it counts only for REMEMBERS */
    remembers?: true
  }
  /** its result comes from outside, before `until`; `ref` identifies it for its tool */
  'tool.submitted': {
    callId: string
    ref: string
    until: number
    /** `workflow`: of a workflow; `task`: of a task of an MCP server; otherwise of any other tool */
    kind?: 'workflow' | 'task'
    /** the actual cost in micro-dollars and tokens, if less than was reserved */
    cost?: number
    tokens?: number
  }
  'tool.result': ToolResult
  /** `late`: nobody said so, but the result came after all */
  'tool.reconciled': {
    callId: string
    signature: string
    happened: boolean
    by: string
    note?: string
    late?: true
  }
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

/** What a round waits for that no person decides. */
export const LATER_KINDS = ['result', 'workflow', 'task'] as const
export type LaterKind = (typeof LATER_KINDS)[number]

/** What Segno itself asks models for. */
export const PURPOSES = ['summary', 'title'] as const
export type Purpose = (typeof PURPOSES)[number]

/** `proposed`: said where foreign text was read, so that its user has to keep it first */
export interface Suggestion {
  content: string
  proposed?: true
}

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

export interface AssistantMessage {
  turn: number
  content: AssistantPart[]
  /** what the model made besides words, and what it refers to */
  files?: MadeFile[]
  sources?: Source[]
  /** the passages that its words cite */
  citations?: Citation[]
  /** what its tags want remembered; a job of the same commit makes it memories */
  remembers?: Suggestion[]
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
