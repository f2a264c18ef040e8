import { redactText } from '../audit/index.ts'
import { citationsIn } from '../context/index.ts'
import { draftEvent, type IgnoredCall } from '../contract/event.ts'
import type { StopReason } from '../contract/outcome.ts'
import { textOf, type AssistantPart } from '../contract/message.ts'
import { ticksOf } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { callModel, failureSentence, tuneModel, type ModelRequest, type TurnResult } from '../model/index.ts'
import { modelCalls, retrievedIn } from '../session/index.ts'
import { keepSaid } from './keep-said.ts'
import { madeFiles } from './made-files.ts'
import { makeSummary } from './make-summary.ts'
import { mayUseTools, misfitOf } from './asked-answer.ts'
import {
  leftOutNotice,
  prepareTurn,
  sentWith,
  type PreparedRequest,
  type PreparedTurn,
  type TurnStep,
} from './prepare-turn.ts'
import { intentOf, withinBudget } from './reserve.ts'
import { checkMayAct, Stopping, isStopping, stopReasonOf } from './stopping.ts'
import { pulsesOf, turnPulses } from './pulses.ts'
import { suggestionsOf } from './suggestions.ts'
import { messageOf, roundOf, type Work } from './work.ts'

/** How many ignored calls are named; the rest are only counted. */
const IGNORED_NAMED = 100
const NO_ANSWER = 'The model gave no answer.'
/** Where the answer was nothing but tags. */
const NOTED = 'Noted.'

/** One model call, from the start of its turn to the end; `begun` if the start is already stored. */
export async function performTurn(step: TurnStep, work: Work, begun?: PreparedTurn): Promise<void> {
  const { session, deps, signal } = work
  const turn = begun ?? (await prepareTurn(step, work))
  if ('due' in turn) return makeSummary(work, turn)
  if (!begun && !(await withinBudget(work, turn.intent))) return
  await session.flush(signal)

  const startedAt = ticksOf(deps.clock)
  const result = await stream(turn, work)
  if (isStopping(signal)) throw new Stopping('stopped during a model call')
  const failed = result.failure ? (stopReasonOf(signal) ?? result.stopReason) : null
  const { files, blobs, leftOut } = madeFiles(result.made, deps.settings)
  const remembers = failed ? [] : await suggestionsOf(result.remembers, work)
  const isNoted = remembers.length > 0
  const { parts, ignored, own } = answerOf(result, mayUseTools(step, roundOf(work)), failed, files.length > 0, isNoted)
  const final = !failed && !parts.some((part) => part.type === 'tool_use')
  const stopReason: StopReason = failed ?? (final ? result.stopReason : 'tool_use')
  if (parts.length + files.length > 0) {
    for (const blob of blobs) session.addBlob(blob)
    const { history } = session.state
    const citations = citationsIn(textOf(parts), retrievedIn(history, history.exchanges))
    session.append(
      draftEvent('message.assistant', {
        turn: step.turn,
        content: parts,
        ...(files.length > 0 && { files }),
        ...(result.sources && { sources: [...result.sources] }),
        ...(citations.length > 0 && { citations }),
        ...(isNoted && { remembers }),
        stopReason: final && stopReason === 'tool_use' ? 'end_turn' : stopReason,
        usage: result.usage,
        final,
        ...(failed && { interrupted: true }),
        ...(final && result.misfit !== undefined && { misfit: result.misfit }),
        ...(own && { own: true }),
      }),
    )
    const answer = { sessionId: session.id, seq: session.state.seq, ...messageOf(session.state) }
    if (isNoted) session.enqueue({ kind: 'remember', payload: answer })
  }
  for (const what of leftOut)
    session.append(
      draftEvent('notice', { text: `Of the model's files was left out: ${what}.`, reason: 'file_left_out' }),
    )
  // If a retry exceeded the budget, the notice about that is enough.
  if (result.failure && !stopReasonOf(signal) && !roundOf(work).overBudget) {
    session.append(draftEvent('notice', { text: failureSentence(result.failure.reason), reason: 'model_failed' }))
  }
  session.append(
    draftEvent('turn.ended', {
      turn: step.turn,
      stopReason,
      usage: result.usage,
      cost: result.cost,
      durationMs: Math.round(ticksOf(deps.clock) - startedAt),
      ...keepSaid(work, result.said),
      ...(ignored.length > 0 && { ignoredCalls: ignored.length, ignored: ignored.slice(0, IGNORED_NAMED) }),
    }),
  )
}

/** The parts to store, without calls if the turn may not use tools; an answer is never empty. */
function answerOf(
  result: TurnResult,
  may: boolean,
  failed: StopReason | null,
  hasFiles: boolean,
  isNoted: boolean,
): { parts: AssistantPart[]; ignored: IgnoredCall[]; own: boolean } {
  const kept = may ? result.parts : result.parts.filter((part) => part.type !== 'tool_use')
  const parts = kept.filter((part) => part.type === 'tool_use' || part.text !== '' || hasMore(part))
  const dropped = result.parts.flatMap((part): IgnoredCall[] =>
    !may && part.type === 'tool_use' ? [{ name: part.name, reason: 'no_tools' }] : [],
  )
  const ignored = [...result.ignored, ...dropped]
  const says = hasFiles || parts.some((part) => part.type === 'tool_use' || (part.type === 'text' && part.text !== ''))
  if (says || failed) return { parts: failed && !says ? [] : parts, ignored, own: false }
  return { parts: [...parts, { type: 'text', text: isNoted ? NOTED : NO_ANSWER }], ignored, own: true }
}

/** What was prepared, as it is sent after the provider refused thoughts. */
function withoutThoughtsOf(prepared: PreparedRequest, { withoutThoughts }: ModelRequest): PreparedRequest | undefined {
  const { sent } = prepared
  if (withoutThoughts === undefined || withoutThoughts === sent.params.withoutThoughts) return undefined
  return { ...prepared, sent: { ...sent, params: { ...sent.params, withoutThoughts } } }
}

/** What has no words may still carry data that the model wants back. */
const hasMore = (part: AssistantPart): boolean => part.meta?.data !== undefined

function stream(
  { step, model: first, request, shrink, correct, fallback }: PreparedTurn,
  work: Work,
): Promise<TurnResult> {
  const { session, deps, signal } = work
  const { settings } = deps
  const round = roundOf(work)
  const { limits, protocol, params, retryOptions: { maxRetries, backoffMs, retryableErrors } = {} } = round.started
  const may = mayUseTools(step, round)
  /** what attempts are sent now, and whether the log says so */
  let prepared: PreparedRequest | undefined
  let isStored = true
  const pulses = turnPulses(pulsesOf(deps), session, round.requestId, step.turn)
  return callModel(
    first,
    {
      onDelta: pulses.delta,
      onArgs: pulses.args,
      async request(model) {
        prepared = await request(model)
        isStored = model === first
        return prepared.request
      },
      async shrink(model, before) {
        const smaller = await shrink(model, before)
        if (!smaller) return undefined
        prepared = smaller
        isStored = false
        return smaller.request
      },
      misfit: (parts) => misfitOf(parts, may, params?.output?.schema, deps),
      async correct(model) {
        prepared = await correct(model)
        isStored = false
        return prepared.request
      },
      onAttempt: () => checkMayAct(deps),
      fallback: (failed) => fallback(failed.fallback),
      async onRetry({ said, ...retry }, next) {
        const before = round.model
        const thoughtless = prepared && withoutThoughtsOf(prepared, next.request)
        const changed = thoughtless ?? (isStored ? undefined : prepared)
        const retried = { turn: step.turn, ...retry, ...keepSaid(work, said), ...(changed && sentWith(changed)) }
        const intent = await intentOf(work, next.model, next.request, (reserved) =>
          draftEvent('turn.retried', { ...retried, ...reserved }),
        )
        if (!(await withinBudget(work, intent))) return false
        if (retry.model !== before) {
          const text = `${before} does not answer (${retry.reason}); ${retry.model} answers instead.`
          const { leftOut } = tuneModel(next.model, params)
          session.append(draftEvent('notice', { text, reason: 'fallback' }), ...leftOutNotice(retry.model, leftOut))
        }
        await session.flush(signal)
        pulses.again(retry.shown ? retry.reason : undefined)
        return true
      },
    },
    {
      firstCall: modelCalls(round),
      oneCall: protocol === 'triggered' && may,
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
      windows: deps.windows,
      redact: (text) => redactText(deps.redact(text)),
      signal,
    },
  )
}
