import { happened, type StopReason } from '../contract/event.ts'
import type { AssistantPart } from '../contract/message.ts'
import type { Prompt } from '../contract/prompt.ts'
import { newId } from '../lib/id.ts'
import { callModel, type TurnResult } from '../model/index.ts'
import { modelCalls, phaseChanges, type Step } from '../session/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import { offeredTools } from './offered-tools.ts'
import { Stopping } from './owned-session.ts'
import { promptFor } from './prompt-for.ts'
import { turnPulses } from './turn-pulses.ts'
import { isStopping, stopReasonOf } from './why-stopped.ts'
import { roundOf, type Work } from './work.ts'

type TurnStep = Extract<Step, { kind: 'call-model' }>

const BUDGET_REACHED = 'Tool budget reached; answer using existing results.'
const NO_ANSWER = 'The model gave no answer.'

/** One model call, from the stored start of its turn to what it said and asked for. */
export async function performTurn(step: TurnStep, work: Work): Promise<void> {
  const { session, hands, signal } = work
  const round = roundOf(work)
  session.append(...phaseChanges(round, 'turn'))
  if (step.last && !round.lastCallBecause)
    session.append(happened('notice', { text: BUDGET_REACHED, reason: step.last }))
  const tools = offeredTools(hands, round.started)
  const prompt = await promptFor(session.state, hands, tools.length > 0, session.cut)
  if (!round.openTurn) {
    session.append(
      happened('turn.started', {
        turn: step.turn,
        model: round.started.model,
        last: step.last !== null,
        layerHashes: prompt.layers.map((layer) => layer.hash),
        ...(step.turn === 1 && { tools: tools.map((tool) => tool.name) }),
      }),
    )
  }
  await session.flush(signal)

  const startedAt = hands.clock.now()
  const result = await stream(step, work, tools, prompt)
  if (isStopping(signal)) throw new Stopping('stopped during a model call')
  const failed = result.failure ? (stopReasonOf(signal) ?? result.stopReason) : null
  const { parts, ignoredCalls, own } = answerOf(result, step, failed)
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
  if (result.failure && !stopReasonOf(signal)) {
    session.append(
      happened('notice', { text: `The model call failed: ${result.failure.reason}.`, reason: 'model_failed' }),
    )
  }
  session.append(
    happened('turn.ended', {
      turn: step.turn,
      stopReason,
      usage: result.usage,
      durationMs: hands.clock.now() - startedAt,
      ...(ignoredCalls > 0 && { ignoredCalls }),
    }),
  )
}

/** Calls of a turn that may not use tools are dropped; an answer is never empty. */
function answerOf(
  result: TurnResult,
  step: TurnStep,
  failed: StopReason | null,
): { parts: AssistantPart[]; ignoredCalls: number; own: boolean } {
  const kept = step.last ? result.parts.filter((part) => part.type !== 'tool_use') : result.parts
  const parts = kept.filter((part) => part.type === 'tool_use' || part.text !== '')
  const ignoredCalls = result.ignoredCalls + (result.parts.length - kept.length)
  const says = parts.some((part) => part.type !== 'reasoning')
  if (says || failed) return { parts: failed && !says ? [] : parts, ignoredCalls, own: false }
  return { parts: [...parts, { type: 'text', text: NO_ANSWER }], ignoredCalls, own: true }
}

function stream(step: TurnStep, work: Work, tools: readonly RegisteredTool[], prompt: Prompt): Promise<TurnResult> {
  const { session, hands, signal } = work
  const round = roundOf(work)
  const { limits, protocol, model: modelName } = round.started
  const pulses = turnPulses(hands.pulse, session.id, round.requestId, step.turn)
  return callModel(
    hands.model(modelName),
    { prompt, tools, mayUseTools: step.last === null, requestId: round.requestId },
    {
      onDelta: pulses.delta,
      onArgs: pulses.args,
      async onRetry(retry) {
        session.append(happened('turn.retried', { turn: step.turn, model: modelName, ...retry }))
        await session.flush(signal)
        if (retry.shown) pulses.reset(retry.reason)
      },
    },
    {
      firstCall: modelCalls(round),
      oneCall: protocol === 'triggered' && step.last === null,
      newCallId: newId,
      modelCallMs: limits.modelCallMs,
      contentGapMs: limits.contentGapMs,
      retries: hands.settings.retries,
      retryBaseMs: hands.settings.retryBaseMs,
      signal,
    },
  )
}
