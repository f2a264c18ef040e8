import type { EventData } from '../contract/event.ts'
import type { CountLimit, FinishReason } from '../contract/outcome.ts'
import { openCalls, type Call } from './call-state.ts'
import { countedTurns, isWaiting, type Round } from './round-state.ts'

/** What a round does next; `until` is when a rest ends by itself. */
export type Step =
  | { readonly kind: 'call-model'; readonly turn: number; readonly last: CountLimit | null }
  /** judge the first open call and run it if the gate allows */
  | { readonly kind: 'dispatch'; readonly calls: readonly Call[] }
  /** started before the process died, and may run again */
  | { readonly kind: 'rerun'; readonly call: Call }
  | { readonly kind: 'verify'; readonly call: Call }
  | { readonly kind: 'expire'; readonly calls: readonly Call[] }
  | {
      readonly kind: 'wait'
      readonly for: EventData['round.waiting']['for']
      readonly callIds: readonly string[]
      readonly until: number
    }
  | { readonly kind: 'pause' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'finish'; readonly finishReason: FinishReason }
  /** end now: answer open calls and say why */
  | { readonly kind: 'give-up'; readonly finishReason: FinishReason }

/** Resting and giving up need none of the limited slots. */
export const needsSlot = ({ kind }: Step): boolean => !['wait', 'pause', 'rest', 'give-up'].includes(kind)

/** The next step under both protocols, `passed` milliseconds after the last event. */
export function nextStep(round: Round, now: number, passed: number): Step {
  if (round.cancelled) return { kind: 'give-up', finishReason: 'cancelled' }
  if (round.overBudget) return { kind: 'give-up', finishReason: 'budget' }
  const calls = openCalls(round)
  const [first] = calls
  if (round.rest === null && runningTime(round, passed) >= round.started.limits.totalMs && !round.answer) {
    return { kind: 'give-up', finishReason: 'timeout' }
  }
  if (round.rest === 'paused') return { kind: 'rest' }
  if (round.openTurn) return { kind: 'call-model', turn: round.openTurn.turn, last: round.lastCallBecause }
  if (first) return stepOfCall(first, calls, now)
  if (round.answer) return { kind: 'finish', finishReason: finishReasonOf(round) }
  const failed = round.turnEnded?.stopReason
  if (failed === 'error' || failed === 'timeout' || failed === 'cancelled')
    return { kind: 'give-up', finishReason: failed }
  if (round.pause === 'due') return { kind: 'pause' }
  return { kind: 'call-model', turn: round.turn + 1, last: lastCall(round) }
}

/** How long a round has been running, `passed` milliseconds after its last event. */
export function runningTime(round: Round, passed: number): number {
  return round.runningMs + (isWaiting(round) ? 0 : passed)
}

function stepOfCall(first: Call, calls: readonly Call[], now: number): Step {
  if (first.state === 'started') {
    if (first.effect === 'pure' || first.effect === 'keyed') return { kind: 'rerun', call: first }
    if (first.effect === 'verifiable') return { kind: 'verify', call: first }
    throw new Error(`call ${first.callId} was started and cannot be run again: recover answers it`)
  }
  const waiting = calls.filter(({ state }) => state === 'waiting' || state === 'submitted')
  const expired = waiting.filter((call) => expiryOf(call) <= now)
  if (expired.length > 0) return { kind: 'expire', calls: expired }
  const { state } = first
  if (state !== 'waiting' && state !== 'submitted') return { kind: 'dispatch', calls }
  return {
    kind: 'wait',
    for: state === 'waiting' ? 'approval' : (first.submitted?.kind ?? 'result'),
    callIds: waiting.filter((call) => call.state === state).map(({ callId }) => callId),
    // An approval behind a result can expire first.
    until: Math.min(...waiting.map(expiryOf)),
  }
}

const expiryOf = ({ state, submitted, approval }: Call): number =>
  (state === 'submitted' ? submitted?.until : approval?.expiresAt) ?? 0

/** A count limit leads to one last model call without tools. */
function lastCall(round: Round): CountLimit | null {
  if (round.lastCallBecause) return round.lastCallBecause
  const { limits, protocol } = round.started
  switch (protocol) {
    case 'triggered':
      if (round.executions >= Math.min(limits.maxCycles, limits.maxToolCalls)) return 'tool_limit'
      return round.fruitless >= limits.maxFruitless ? 'iteration_limit' : null
    case 'unified':
      if (round.executions >= limits.maxToolCalls) return 'tool_limit'
      return countedTurns(round) >= limits.maxIterations ? 'iteration_limit' : null
  }
}

function finishReasonOf(round: Round): FinishReason {
  const { stopReason, misfit } = round.answer ?? {}
  if (round.lastCallBecause) return round.lastCallBecause
  if (stopReason === 'max_tokens') return 'max_tokens'
  return misfit === undefined ? 'complete' : 'error'
}
