import { fileHashes } from '../context/index.ts'
import { happened, type IgnoredCall, type StopReason } from '../contract/event.ts'
import type { AssistantPart } from '../contract/message.ts'
import { ticksOf } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { callModel, type Model, type ModelRequest, type TurnResult } from '../model/index.ts'
import { modelCalls, phaseChanges, type Step } from '../session/index.ts'
import { modelNamed, usableModel } from './model-named.ts'
import { Stopping } from './session-errors.ts'
import { promptFor } from './prompt-for.ts'
import { mayGoOn, withinBudget } from './reserve.ts'
import { turnPulses } from './turn-pulses.ts'
import { isStopping, stopReasonOf } from './why-stopped.ts'
import { roundOf, type StepWork, type Work } from './work.ts'

type TurnStep = Extract<Step, { kind: 'call-model' }>

const BUDGET_REACHED = 'Tool budget reached; answer using existing results.'
/** a stream may hold any number of calls; past this they are only counted */
const IGNORED_NAMED = 100
const NO_ANSWER = 'The model gave no answer.'

/** One model call, from the stored start of its turn to what it said and asked for. */
export async function performTurn(step: TurnStep, work: StepWork): Promise<void> {
  const { session, hands, signal } = work
  const round = roundOf(work)
  session.append(...phaseChanges(round, 'turn'))
  if (step.last && !round.lastCallBecause)
    session.append(happened('notice', { text: BUDGET_REACHED, reason: step.last }))
  const model = modelNamed(round.model, hands)
  const asks = requests(step, work)
  const request = await asks(model)
  if (!(await started(step, work, model, request))) return

  const startedAt = ticksOf(hands.clock)
  const result = await stream(step, work, model, (other) => (other === model ? Promise.resolve(request) : asks(other)))
  if (isStopping(signal)) throw new Stopping('stopped during a model call')
  const failed = result.failure ? (stopReasonOf(signal) ?? result.stopReason) : null
  const { parts, ignored, own } = answerOf(result, step, failed)
  const final = !failed && !parts.some((part) => part.type === 'tool_use')
  const stopReason: StopReason = failed ?? (final ? result.stopReason : 'tool_use')
  if (parts.length > 0) {
    session.append(
      happened('message.assistant', {
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
  // Where another attempt did not fit the budget, that is why the round ends, and was said.
  if (result.failure && !stopReasonOf(signal) && !roundOf(work).overBudget) {
    session.append(
      happened('notice', { text: `The model call failed: ${result.failure.reason}.`, reason: 'model_failed' }),
    )
  }
  session.append(
    happened('turn.ended', {
      turn: step.turn,
      stopReason,
      usage: result.usage,
      cost: result.cost,
      durationMs: Math.round(ticksOf(hands.clock) - startedAt),
      ...(ignored.length > 0 && { ignoredCalls: ignored.length, ignored: ignored.slice(0, IGNORED_NAMED) }),
    }),
  )
}

/** Stores that the turn starts, with what it sets aside; false where that does not fit the user's budget. */
async function started(step: TurnStep, work: StepWork, model: Model, request: ModelRequest): Promise<boolean> {
  const { session, signal, foreign } = work
  const event = {
    turn: step.turn,
    model: model.key,
    last: step.last !== null,
    layerHashes: request.prompt.layers.map((layer) => layer.hash),
    from: request.prompt.from ?? 0,
    ...newTools(request.tools, roundOf(work).tools),
    ...(foreign !== undefined && { foreign }),
  }
  const may = roundOf(work).openTurn
    ? await mayGoOn(work, model)
    : await withinBudget(work, model, request, (reserved) => happened('turn.started', { ...event, ...reserved }))
  if (may) await session.flush(signal)
  return may
}

/** What a model is asked in this turn: what fits depends on the model. */
function requests(step: TurnStep, work: StepWork) {
  const { session, hands, offered: tools, workspace } = work
  const { requestId } = roundOf(work)
  return async (model: Model): Promise<ModelRequest> => {
    const prompt = await promptFor(session.state, hands.settings, workspace, tools, model)
    const files = await filesOf(fileHashes(prompt, hands.settings.fileBytesAtOnce), work)
    return { prompt, tools, mayUseTools: step.last === null, sessionId: session.id, requestId, files }
  }
}

async function filesOf(hashes: ReadonlySet<string>, { session, hands }: Work): Promise<Map<string, Uint8Array>> {
  const unstored = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const bytes = session.unstored(hash)
    if (bytes) unstored.set(hash, bytes)
  }
  const stored = await hands.files([...hashes].filter((hash) => !unstored.has(hash)))
  return new Map([...stored, ...unstored])
}

/** What is offered, where it is not what was offered before. */
function newTools(tools: readonly { readonly name: string }[], before: readonly string[]): { tools?: string[] } {
  const names = tools.map(({ name }) => name)
  const isSame = names.length === before.length && names.every((name, at) => name === before[at])
  return isSame ? {} : { tools: names }
}

/** Calls of a turn that may not use tools are dropped; an answer is never empty. */
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

/** A thought without words can still be one its model wants back. */
const hasMore = (part: AssistantPart): boolean => part.type === 'reasoning' && part.meta?.data !== undefined

function stream(
  step: TurnStep,
  work: StepWork,
  first: Model,
  request: (model: Model) => Promise<ModelRequest>,
): Promise<TurnResult> {
  const { session, hands, signal } = work
  const { settings } = hands
  const round = roundOf(work)
  const { limits, protocol } = round.started
  const pulses = turnPulses(hands.pulse, session.id, round.requestId, step.turn)
  return callModel(
    first,
    {
      onDelta: pulses.delta,
      onArgs: pulses.args,
      request,
      fallback: ({ fallback }) => fallbackOf(fallback, work),
      async onRetry(retry, next) {
        const before = round.model
        const retried = {
          turn: step.turn,
          ...retry,
          ...(retry.model !== before && { from: next.request.prompt.from ?? 0 }),
        }
        if (
          !(await withinBudget(work, next.model, next.request, (reserved) =>
            happened('turn.retried', { ...retried, ...reserved }),
          ))
        )
          return false
        if (retry.model !== before) {
          const text = `${before} does not answer (${retry.reason}); ${retry.model} answers instead.`
          session.append(happened('notice', { text, reason: 'fallback' }))
        }
        await session.flush(signal)
        if (retry.shown) pulses.reset(retry.reason)
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
      retries: settings.retries,
      retryBaseMs: settings.retryBaseMs,
      retryAfterMs: settings.retryAfterMs,
      breakers: hands.breakers,
      signal,
    },
  )
}

/** None that cannot be used here, or that the workspace does not have. */
function fallbackOf(key: string | undefined, { hands, workspace: { models } }: StepWork): Model | undefined {
  if (key === undefined) return undefined
  return models.length > 0 && !models.includes(key) ? undefined : usableModel(key, hands)
}
