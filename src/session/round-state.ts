import type { AssistantMessage, EventData, EventOf, EventType, Reserved, StoredEvent } from '../contract/event.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import type { SentPrompt } from '../contract/sent-prompt.ts'
import { addUsage, NO_USAGE, textOf, type Usage } from '../contract/message.ts'
import { isCountLimit, type CountLimit, type StopReason } from '../contract/outcome.ts'
import { evolveCall, usedCall, type Call } from './call-state.ts'

/** Everything the next step of a round depends on. */
export interface Round {
  readonly requestId: string
  readonly started: RoundStarted
  /** the current model, which may be a fallback */
  model: string
  /** the model that was called last, by the key it has itself */
  called: string | null
  /** the last started turn, 0 before the first */
  turn: number
  openTurn: OpenTurn | null
  /** the tools that were offered last */
  tools: readonly string[]
  turnEnded: EventData['turn.ended'] | null
  retries: number
  /** in the order they were asked for */
  calls: Call[]
  executions: number
  /** how much it has noted about the user, by calls and tags */
  remembered: number
  fruitless: number
  /** of calls that were executed, refused or denied, in the rounds it continues too */
  signatures: Set<string>
  phase: (EventData['phase.started'] & { executions: number }) | null
  phaseIndex: number
  cancelled: 'cancel' | 'interrupt' | null
  /** `due` once a result was stored after the request */
  pause: 'asked' | 'due' | null
  rest: 'waiting' | 'paused' | null
  /** when a waiting round must continue by itself */
  waitsUntil: number | null
  /** takeovers since the last progress */
  takeovers: number
  /** the event with which its current owner started or took over the round */
  ownedSince: number
  runningMs: number
  lastAt: number
  usage: Usage
  cost: number
  /** a model call exceeded the user's budget */
  overBudget: boolean
  /** why the next turn is the last one */
  lastCallBecause: CountLimit | null
  notices: string[]
  /** text the user has seen, by turn */
  said: Map<number, string>
  /** `misfit`: what is wrong with it */
  answer: { stopReason: StopReason; misfit?: string } | null
  ignoredCalls: number
}

export interface OpenTurn {
  readonly turn: number
  /** what one attempt reserves, and all attempts since the last takeover */
  readonly each?: Reserved
  readonly reserved?: Reserved
  /** what the last attempt was sent, and the first event of the conversation in it */
  readonly sent?: SentPrompt
  readonly from?: number
}

export function startRound(event: EventOf<'round.started'>, inherited: readonly string[]): Round {
  return {
    requestId: event.data.requestId,
    started: event.data,
    model: event.data.model,
    called: null,
    turn: 0,
    openTurn: null,
    tools: [],
    turnEnded: null,
    retries: 0,
    calls: [],
    executions: 0,
    remembered: 0,
    fruitless: 0,
    signatures: new Set(inherited),
    phase: null,
    phaseIndex: 0,
    cancelled: null,
    pause: null,
    rest: null,
    waitsUntil: null,
    takeovers: 0,
    ownedSince: event.seq,
    runningMs: 0,
    lastAt: event.at,
    usage: NO_USAGE,
    cost: 0,
    overBudget: false,
    lastCallBecause: null,
    notices: [],
    said: new Map(),
    answer: null,
    ignoredCalls: 0,
  }
}

/** Folds an event into the round in place. */
export function evolveRound(round: Round, event: StoredEvent): void {
  countTime(round, event)
  switch (event.type) {
    case 'round.asked':
      if (event.data.what === 'pause') round.pause ??= 'asked'
      else round.cancelled = event.data.what
      return
    case 'round.waiting':
      round.rest = 'waiting'
      round.waitsUntil = event.data.until
      return
    case 'round.paused':
      round.rest = 'paused'
      round.pause = null
      return
    case 'round.resumed':
      round.rest = null
      if (event.data.reason === 'takeover') {
        round.takeovers = event.data.n
        round.ownedSince = event.seq
      }
      if (event.data.evicted) for (const call of round.calls) call.isDoubtful ||= call.state === 'started'
      // A model call that died with its process was paid for, at unknown cost.
      if (round.openTurn) round.usage = { ...round.usage, estimated: true }
      if (round.openTurn && event.data.reserved) round.openTurn = { ...round.openTurn, reserved: event.data.reserved }
      return
    case 'phase.started':
      round.phase = { ...event.data, executions: 0 }
      round.phaseIndex = event.data.phaseIndex
      return
    case 'phase.ended':
      round.phase = null
      return
    case 'turn.started': {
      const { turn, reserved, sent, from } = event.data
      round.turn = turn
      round.called = event.data.model
      round.openTurn = { turn, ...(reserved && { each: reserved, reserved }), ...sentOf(sent, from) }
      round.tools = event.data.tools ?? round.tools
      round.turnEnded = null
      return
    }
    case 'turn.retried':
      // An attempt that died with its process is not counted.
      if (event.data.attempt > 0) round.retries += 1
      round.model = event.data.model
      round.called = event.data.model
      if (round.openTurn && event.data.reserved) round.openTurn = addReservation(round.openTurn, event.data.reserved)
      if (round.openTurn && event.data.sent)
        round.openTurn = { ...round.openTurn, ...sentOf(event.data.sent, event.data.from) }
      return
    case 'model.answered':
      round.usage = addUsage(round.usage, event.data.usage)
      round.cost += event.data.cost ?? 0
      return
    case 'turn.ended':
      round.openTurn = null
      round.turnEnded = event.data
      round.ignoredCalls += event.data.ignoredCalls ?? 0
      round.usage = addUsage(round.usage, event.data.usage)
      round.cost += event.data.cost ?? 0
      return
    case 'message.assistant':
      round.takeovers = 0
      for (const part of event.data.content) {
        if (part.type === 'tool_use') round.calls.push(usedCall(part, event.data.turn))
      }
      round.remembered += event.data.remembers?.length ?? 0
      round.said.set(event.data.turn, textOf(event.data.content))
      if (event.data.final) round.answer = answerOf(event.data)
      return
    case 'notice':
      // The model does not need to know about fallbacks, and what they do without.
      if (event.data.reason === 'fallback' || event.data.reason === 'left_out') return
      round.notices.push(event.data.text)
      if (event.data.reason === 'budget') round.overBudget = true
      if (isCountLimit(event.data.reason)) round.lastCallBecause = event.data.reason
      return
    case 'tool.call':
    case 'approval.requested':
    case 'approval.decided':
    case 'tool.started':
    case 'tool.submitted':
    case 'tool.result':
      evolveCall(round, event)
      return
    case 'session.created':
    case 'session.changed':
    case 'session.forked':
    case 'session.archived':
    case 'session.deleted':
    case 'round.started':
    case 'round.ended':
    case 'message.user':
    case 'tool.reconciled':
    case 'model.asked':
    case 'compact.summary':
    case 'context.cleared':
    case 'message.deleted':
      return
  }
}

const answerOf = ({ stopReason, misfit }: AssistantMessage): Round['answer'] => ({
  stopReason,
  ...(misfit !== undefined && { misfit }),
})

/** Older events have no `ms`, so their times are used. */
function countTime(round: Round, event: StoredEvent): void {
  round.runningMs += event.ms ?? runningTimeBefore(round, event.type, Math.max(0, event.at - round.lastAt))
  round.lastAt = event.at
}

/** How much of the time before an event the round was running: none while it waited or no process ran it. */
export function runningTimeBefore(round: Round, type: EventType, passed: number): number {
  return isWaiting(round) || type === 'round.resumed' ? 0 : passed
}

export function isWaiting(round: Round): boolean {
  return round.rest !== null || round.calls.some((call) => call.question !== null)
}

const sentOf = (sent?: SentPrompt, from?: number): Pick<OpenTurn, 'sent' | 'from'> => ({
  ...(sent && { sent }),
  ...(from !== undefined && { from }),
})

function addReservation(open: OpenTurn, more: Reserved): OpenTurn {
  const { tokens, cost } = open.reserved ?? { tokens: 0, cost: 0 }
  return { ...open, each: more, reserved: { tokens: tokens + more.tokens, cost: cost + more.cost } }
}

/** A fork inherits its parent's open calls but not their reservations. */
export function forgetReservations(round: Round): void {
  if (round.openTurn) {
    const { turn, sent, from } = round.openTurn
    round.openTurn = { turn, ...sentOf(sent, from) }
  }
  for (const call of round.calls) call.reserved = call.reservedTokens = 0
}

/** The turns that count for a limit: those with nothing but calls that count only for REMEMBERS do not. */
export function countedTurns({ turn, calls }: Round): number {
  const only = new Map<number, boolean>()
  for (const call of calls) only.set(call.turn, (only.get(call.turn) ?? true) && call.remembers)
  return turn - [...only.values()].filter(Boolean).length
}

/** Every turn and every retry; attempts that died with their process are not counted. */
export function modelCalls(round: Round): number {
  return round.turn + round.retries
}
