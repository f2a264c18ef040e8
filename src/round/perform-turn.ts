import { draftEvent, type IgnoredCall } from '../contract/event.ts'
import type { StopReason } from '../contract/outcome.ts'
import type { AssistantPart } from '../contract/message.ts'
import { ticksOf } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { callModel, type TurnResult } from '../model/index.ts'
import { modelCalls } from '../session/index.ts'
import { prepareTurn, type PreparedTurn, type TurnStep } from './prepare-turn.ts'
import { intentOf, withinBudget } from './reserve.ts'
import { checkMayAct, Stopping, isStopping, stopReasonOf } from './stopping.ts'
import { pulsesOf, turnPulses } from './pulses.ts'
import { roundOf, type Work } from './work.ts'

/** How many ignored calls are named; the rest are only counted. */
const IGNORED_NAMED = 100
const NO_ANSWER = 'The model gave no answer.'

/** One model call, from the start of its turn to the end; `begun` if the start is already stored. */
export async function performTurn(step: TurnStep, work: Work, begun?: PreparedTurn): Promise<void> {
  const { session, deps, signal } = work
  const turn = begun ?? (await prepareTurn(step, work))
  if (!begun && !(await withinBudget(work, turn.intent))) return
  await session.flush(signal)

  const startedAt = ticksOf(deps.clock)
  const result = await stream(turn, work)
  if (isStopping(signal)) throw new Stopping('stopped during a model call')
  const failed = result.failure ? (stopReasonOf(signal) ?? result.stopReason) : null
  const { parts, ignored, own } = answerOf(result, step, failed)
  const final = !failed && !parts.some((part) => part.type === 'tool_use')
  const stopReason: StopReason = failed ?? (final ? result.stopReason : 'tool_use')
  if (parts.length > 0) {
    session.append(
      draftEvent('message.assistant', {
        turn: step.turn,
        content: parts,
        stopReason: final && stopReason === 'tool_use' ? 'end_turn' : stopReason,
        usage: result.usage,
        final,
        ...(failed && { interrupted: true }),
        ...(own && { own: true }),
      }),
    )
  }
  // If a retry exceeded the budget, the notice about that is enough.
  if (result.failure && !stopReasonOf(signal) && !roundOf(work).overBudget) {
    session.append(
      draftEvent('notice', { text: `The model call failed: ${result.failure.reason}.`, reason: 'model_failed' }),
    )
  }
  session.append(
    draftEvent('turn.ended', {
      turn: step.turn,
      stopReason,
      usage: result.usage,
      cost: result.cost,
      durationMs: Math.round(ticksOf(deps.clock) - startedAt),
      ...(ignored.length > 0 && { ignoredCalls: ignored.length, ignored: ignored.slice(0, IGNORED_NAMED) }),
    }),
  )
}

/** The parts to store, without calls if the turn may not use tools; an answer is never empty. */
function answerOf(
  result: TurnResult,
  step: TurnStep,
  failed: StopReason | null,
): { parts: AssistantPart[]; ignored: IgnoredCall[]; own: boolean } {
  const kept = step.last ? result.parts.filter((part) => part.type !== 'tool_use') : result.parts
  const parts = kept.filter((part) => part.type === 'tool_use' || part.text !== '' || hasMore(part))
  const dropped = result.parts.flatMap((part): IgnoredCall[] =>
    step.last && part.type === 'tool_use' ? [{ name: part.name, reason: 'no_tools' }] : [],
  )
  const ignored = [...result.ignored, ...dropped]
  const says = parts.some((part) => part.type !== 'reasoning')
  if (says || failed) return { parts: failed && !says ? [] : parts, ignored, own: false }
  return { parts: [...parts, { type: 'text', text: NO_ANSWER }], ignored, own: true }
}

/** Reasoning without text may still carry data that the model wants back. */
const hasMore = (part: AssistantPart): boolean => part.type === 'reasoning' && part.meta?.data !== undefined

function stream({ step, model: first, request, fallback }: PreparedTurn, work: Work): Promise<TurnResult> {
  const { session, deps, signal } = work
  const { settings } = deps
  const round = roundOf(work)
  const { limits, protocol, retryOptions: { maxRetries, backoffMs, retryableErrors } = {} } = round.started
  const pulses = turnPulses(pulsesOf(deps), session, round.requestId, step.turn)
  return callModel(
    first,
    {
      onDelta: pulses.delta,
      onArgs: pulses.args,
      request,
      onAttempt: () => checkMayAct(deps),
      fallback: (failed) => fallback(failed.fallback),
      async onRetry(retry, next) {
        const before = round.model
        const retried = {
          turn: step.turn,
          ...retry,
          ...(retry.model !== before && { from: next.request.prompt.from ?? 0 }),
        }
        const intent = await intentOf(work, next.model, next.request, (reserved) =>
          draftEvent('turn.retried', { ...retried, ...reserved }),
        )
        if (!(await withinBudget(work, intent))) return false
        if (retry.model !== before) {
          const text = `${before} does not answer (${retry.reason}); ${retry.model} answers instead.`
          session.append(draftEvent('notice', { text, reason: 'fallback' }))
        }
        await session.flush(signal)
        pulses.again(retry.shown ? retry.reason : undefined)
        return true
      },
    },
    {
      firstCall: modelCalls(round),
      oneCall: protocol === 'triggered' && step.last === null,
      newCallId: newId,
      patience: {
        connectMs: Math.min(settings.connectMs, limits.modelCallMs),
        firstContentMs: limits.modelCallMs,
        contentGapMs: limits.contentGapMs,
        hurried: limits.contentGapMs < settings.contentGapMs || limits.modelCallMs < settings.modelCallMs,
      },
      answerChars: settings.answerChars,
      retries: Math.min(settings.retries, maxRetries ?? Infinity),
      retryBaseMs: Math.max(settings.retryBaseMs, backoffMs ?? 0),
      retryOn: retryableErrors,
      retryAfterMs: settings.retryAfterMs,
      breakers: deps.breakers,
      signal,
    },
  )
}
