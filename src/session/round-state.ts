import type { EventData, EventType, Reserved, RoundStarted, StopReason, StoredEvent } from '../contract/event.ts'
import { addUsage, NO_USAGE, type Usage } from '../contract/message.ts'
import type { FinishReason } from '../contract/outcome.ts'
import { evolveCall, usedCall, type Call } from './call-state.ts'

/** Everything the next step of a round depends on, folded from its events. */
export interface Round {
  readonly requestId: string
  readonly started: RoundStarted
  /** the model that is asked: the one the round began with, or the one that took its place */
  model: string
  /** the last turn that was started, 0 before the first */
  turn: number
  openTurn: OpenTurn | null
  /** the names of the tools that were offered last */
  tools: readonly string[]
  /** how the last turn ended, once it has */
  turnEnded: EventData['turn.ended'] | null
  retries: number
  /** in the order they were asked for */
  calls: Call[]
  executions: number
  fruitless: number
  /** of calls that were executed, refused or denied in this round */
  signatures: Set<string>
  phase: (EventData['phase.started'] & { executions: number }) | null
  phaseIndex: number
  cancelled: 'cancel' | 'interrupt' | null
  /** a pause was asked for; it is due once a result has been stored after that */
  pause: 'asked' | 'due' | null
  rest: 'waiting' | 'paused' | null
  /** of a round that waits: when it must be looked at again */
  waitsUntil: number | null
  /** takeovers since the round last moved on */
  takeovers: number
  drivingMs: number
  /** the time of its last event */
  lastAt: number
  usage: Usage
  cost: number
  /** a model call did not fit the budget of its user */
  overBudget: boolean
  /** why the next turn is the last one, once that was said */
  lastCallBecause: Extract<FinishReason, 'iteration_limit' | 'tool_limit'> | null
  notices: string[]
  /** text the user already saw, by turn */
  said: Map<number, string>
  answer: { stopReason: StopReason } | null
  ignoredCalls: number
}

export interface OpenTurn {
  readonly turn: number
  /** what one attempt sets aside of a budget, and what all attempts since the last takeover did */
  readonly each?: Reserved
  readonly reserved?: Reserved
}

export function startRound(event: Extract<StoredEvent, { type: 'round.started' }>): Round {
  return {
    requestId: event.data.requestId,
    started: event.data,
    model: event.data.model,
    turn: 0,
    openTurn: null,
    tools: [],
    turnEnded: null,
    retries: 0,
    calls: [],
    executions: 0,
    fruitless: 0,
    signatures: new Set(),
    phase: null,
    phaseIndex: 0,
    cancelled: null,
    pause: null,
    rest: null,
    waitsUntil: null,
    takeovers: 0,
    drivingMs: 0,
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

/** Folds one event of the round into its state. The caller owns the state; nobody else changes it. */
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
      if (event.data.reason === 'takeover') round.takeovers = event.data.n
      // A call that died with its process was paid for, and nobody knows how much.
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
      const { reserved } = event.data
      round.turn = event.data.turn
      round.openTurn = { turn: event.data.turn, ...(reserved && { each: reserved, reserved }) }
      round.tools = event.data.tools ?? round.tools
      round.turnEnded = null
      return
    }
    case 'turn.retried':
      round.retries += 1
      round.model = event.data.model
      if (round.openTurn && event.data.reserved) round.openTurn = withAnother(round.openTurn, event.data.reserved)
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
      round.said.set(event.data.turn, textOf(event.data.content))
      if (event.data.final) round.answer = { stopReason: event.data.stopReason }
      return
    case 'notice':
      // Which model answers is of interest to people only.
      if (event.data.reason === 'fallback') return
      round.notices.push(event.data.text)
      if (event.data.reason === 'budget') round.overBudget = true
      if (event.data.reason === 'iteration_limit' || event.data.reason === 'tool_limit') {
        round.lastCallBecause = event.data.reason
      }
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
    case 'compact.summary':
    case 'context.cleared':
    case 'message.deleted':
      return
  }
}

/** An event says how long the round was driven since the one before; what older ones do not say is told by their times. */
function countTime(round: Round, event: StoredEvent): void {
  round.drivingMs += event.ms ?? drivenBefore(round, event.type, Math.max(0, event.at - round.lastAt))
  round.lastAt = event.at
}

/** How much of the time before an event was driving: none while a person was waited for or no process ran the round. */
export function drivenBefore(round: Round, type: EventType, passed: number): number {
  return waitsForSomebody(round) || type === 'round.resumed' ? 0 : passed
}

/** It rests, or a running call has asked something. */
export function waitsForSomebody(round: Round): boolean {
  return round.rest !== null || round.calls.some((call) => call.question !== null)
}

function withAnother(open: OpenTurn, more: Reserved): OpenTurn {
  const { tokens, cost } = open.reserved ?? { tokens: 0, cost: 0 }
  return { ...open, each: more, reserved: { tokens: tokens + more.tokens, cost: cost + more.cost } }
}

/** A fork has what its parent set aside, but did not set it aside. */
export function forgetReservations(round: Round): void {
  if (round.openTurn) round.openTurn = { turn: round.openTurn.turn }
  for (const call of round.calls) call.reserved = call.reservedTokens = 0
}

function textOf(content: EventData['message.assistant']['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Model calls so far: every turn once, and every retry. An attempt that died with its process left no trace. */
export function modelCalls(round: Round): number {
  return round.turn + round.retries
}
