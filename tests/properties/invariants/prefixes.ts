import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Message } from '../../../src/contract/message.ts'
import { buildPrompt } from '../../../src/context/index.ts'
import {
  close,
  fold,
  nextStep,
  openCalls,
  toMessages,
  type Round,
  type SessionState,
  type Step,
  takeOver,
  answerLost,
} from '../../../src/session/index.ts'
import { append } from './append.ts'
import { continued, refusals } from './refusals.ts'

export interface Window {
  readonly messages: number
  readonly tokens: number
}

/**
 * What must hold wherever a log is cut off from event `from` on. Each fault names the number of the last event.
 * `commits` are the numbers a process can find at the end of a log, and go on from.
 */
export function prefixFaults(
  log: readonly StoredEvent[],
  from: number,
  commits: ReadonlySet<number>,
  window: Window,
): string[] {
  const faults: string[] = []
  for (let length = from; length <= log.length; length += 1) {
    const prefix = log.slice(0, length)
    const found = [
      ...(commits.has(length) ? promptFaults(fold(prefix), window) : []),
      ...recoverFaults(prefix),
      ...closeFaults(prefix),
    ]
    faults.push(...found.map((fault) => `after event ${length}: ${fault}`))
  }
  return faults
}

/** Closing starts nothing, ends everything, and leaves a conversation any provider would go on with. */
function closeFaults(prefix: readonly StoredEvent[]): string[] {
  const state = fold(prefix)
  const closing = close(state.round, 'cancelled')
  const faults: string[] = []
  if (closing.some(({ type }) => type === 'tool.started' || type === 'turn.started' || type === 'phase.started')) {
    faults.push('close starts something')
  }
  if (close(state.round, 'cancelled').length !== closing.length) faults.push('close is not pure')
  const results = resultsPerUse([...prefix, ...append(state, closing)])
  for (const [id, count] of results) if (count !== 1) faults.push(`${id} has ${count} results when closed`)
  if (state.round) faults.push('close leaves the round open')
  if (close(state.round, 'cancelled').length > 0) faults.push('closing twice does more than closing once')
  const messages = toMessages(state.history)
  return [...faults, ...orphanFaults(messages), ...refusals(continued(messages), 'rebuilt')]
}

function resultsPerUse(log: readonly StoredEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const event of log) {
    if (event.type === 'message.assistant') {
      for (const part of event.data.content) if (part.type === 'tool_use') counts.set(part.id, 0)
    } else if (event.type === 'tool.result') counts.set(event.data.callId, (counts.get(event.data.callId) ?? 0) + 1)
  }
  return counts
}

/** Every message says which events it was made of, so that it can be deleted. */
function orphanFaults(messages: readonly Message[]): string[] {
  const ids = messages.flatMap((message) => message.eventIds)
  return new Set(ids).size < ids.length ? ['an event is shown in two messages'] : []
}

/** Recovery may itself be killed, once or twice: recovering again must do. */
function recoverFaults(prefix: readonly StoredEvent[]): string[] {
  const state = fold(prefix)
  if (!state.round) return []
  const unsafe = startedUnsafe(state.round)
  const faults: string[] = []
  for (let times = 0; times < 2; times += 1) {
    append(state, takeOver(state.round))
    append(state, answerLost(state.round))
    faults.push(...goOnFaults(state, unsafe))
  }
  return faults
}

function goOnFaults({ round }: SessionState, unsafe: ReadonlySet<string>): string[] {
  if (!round) return []
  if (startedUnsafe(round).size > 0) return ['recover leaves an unsafe call without an answer']
  try {
    return stepFaults(nextStep(round, round.lastAt, 0), unsafe)
  } catch (error) {
    return [`no next step after recovering: ${(error as Error).message}`]
  }
}

/** Calls that were started and may not run again. */
function startedUnsafe(round: Round): Set<string> {
  const calls = openCalls(round).filter((call) => call.state === 'started' && call.effect === 'unsafe')
  return new Set(calls.map((call) => call.callId))
}

function stepFaults(step: Step, unsafe: ReadonlySet<string>): string[] {
  switch (step.kind) {
    case 'rerun':
      return step.call.effect === 'pure' || step.call.effect === 'keyed' ? [] : [`${step.call.effect} would run again`]
    case 'verify':
      return step.call.effect === 'verifiable' ? [] : [`${step.call.effect} would be looked up`]
    case 'dispatch': {
      const started = step.calls.some((call) => unsafe.has(call.callId) || call.state === 'started')
      return started ? ['a started call would be dispatched'] : []
    }
    default:
      return []
  }
}

/** Where the next step calls the model, what it would be sent is a list every provider takes. */
function promptFaults(state: SessionState, window: Window): string[] {
  const { round } = state
  if (!round || openCalls(round).some((call) => call.state === 'started')) return []
  if (nextStep(round, round.lastAt, 0).kind !== 'call-model') return []
  return (['system', 'tool'] as const).flatMap((toolResultsAs) => {
    const shownSo = { ...state, round: { ...round, started: { ...round.started, toolResultsAs } } }
    const { prompt } = buildPrompt(shownSo, { limits: window, parts: [] })
    const faults = refusals(prompt.messages, `prompt with results as ${toolResultsAs}`)
    const calls = round.calls.map((call) => call.callId)
    const uses = prompt.messages.flatMap(({ content }) => content.filter((part) => part.type === 'tool_use'))
    const shown = uses.filter((part) => calls.includes(part.id)).length
    const notes = prompt.notes.filter((note) => note.startsWith('In this round you called')).length
    const asNotes = round.started.protocol === 'triggered' && toolResultsAs === 'system'
    const expected = asNotes ? [0, calls.length] : [calls.length, 0]
    if (shown !== expected[0] || notes !== expected[1]) {
      faults.push(`${calls.length} calls of this round are shown as ${shown} uses and ${notes} notes`)
    }
    return faults
  })
}
