import type { EventData } from '../contract/event.ts'
import type { Usage } from '../contract/message.ts'
import { ATTRIBUTES as A, OPERATIONS } from './names.ts'
import { spanIdOf, traceIdOf } from './span-ids.ts'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: 'internal' | 'client'
  /** milliseconds since 1970 */
  readonly startAt: number
  readonly endAt: number
  readonly attributes: Attributes
  readonly failed: boolean
}

/** Whole numbers, short strings and ids; undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type DescribeModel = (key: string) => { provider: string; model: string }

/** What is remembered of a round until it ends. */
export interface OpenRound {
  readonly requestId: string
  readonly startAt: number
  readonly protocol: string | undefined
  readonly takenOver: boolean
  model: string | undefined
  turnStartAt: number | undefined
  retries: number
  /** start times of running calls */
  readonly calls: Map<string, number>
  idleCalls: number
}

const FAILED: ReadonlySet<string> = new Set(['error', 'timeout', 'unknown'])

export function roundSpan(
  round: OpenRound,
  sessionId: string,
  { at, data }: Ended<'round.ended'>,
  describe: DescribeModel,
): Span {
  const { finishReason, usage, cost } = data
  const failed = FAILED.has(finishReason)
  return {
    traceId: traceIdOf(round.requestId),
    spanId: spanIdOf(round.requestId, 'round'),
    name: OPERATIONS.round,
    kind: 'internal',
    ...between(round.startAt, at),
    attributes: {
      [A.operation]: OPERATIONS.round,
      ...modelAttributes(round.model, describe),
      [A.conversation]: sessionId,
      ...usageAttributes(usage),
      [A.roundProtocol]: round.protocol,
      [A.roundFinish]: finishReason,
      [A.roundCost]: cost,
      [A.roundIdleCalls]: round.idleCalls,
      [A.roundTakenOver]: round.takenOver || undefined,
      [A.errorType]: failed ? finishReason : undefined,
    },
    failed,
  }
}

export function turnSpan(
  round: OpenRound,
  sessionId: string,
  { at, data }: Ended<'turn.ended'>,
  describe: DescribeModel,
): Span {
  const { turn, stopReason, usage, durationMs } = data
  const failed = FAILED.has(stopReason)
  const model = modelAttributes(round.model, describe)
  return {
    ...childOf(round.requestId, `turn ${turn}`),
    name: [OPERATIONS.turn, model[A.model]].filter((word) => word !== undefined).join(' '),
    kind: 'client',
    ...between(round.turnStartAt ?? at - durationMs, at),
    attributes: {
      [A.operation]: OPERATIONS.turn,
      ...model,
      [A.conversation]: sessionId,
      [A.finishReasons]: [stopReason],
      ...usageAttributes(usage),
      [A.turnNumber]: turn,
      [A.turnRetries]: round.retries,
      [A.errorType]: failed ? stopReason : undefined,
    },
    failed,
  }
}

export function toolSpan(round: OpenRound, sessionId: string, { at, data }: Ended<'tool.result'>): Span {
  const { callId, name, outcome, effect, durationMs } = data
  const failed = FAILED.has(outcome)
  return {
    ...childOf(round.requestId, `call ${callId}`),
    name: `${OPERATIONS.tool} ${name}`,
    kind: 'internal',
    ...between(round.calls.get(callId) ?? at - durationMs, at),
    attributes: {
      [A.operation]: OPERATIONS.tool,
      [A.toolName]: name,
      [A.toolCall]: callId,
      [A.conversation]: sessionId,
      [A.toolOutcome]: outcome,
      [A.toolEffect]: effect,
      [A.errorType]: failed ? outcome : undefined,
    },
    failed,
  }
}

interface Ended<T extends keyof EventData> {
  readonly at: number
  readonly data: EventData[T]
}

function childOf(requestId: string, part: string): Pick<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  return {
    traceId: traceIdOf(requestId),
    spanId: spanIdOf(requestId, part),
    parentSpanId: spanIdOf(requestId, 'round'),
  }
}

/** A span must not end before it starts, even if the clock was set back. */
function between(startAt: number, endAt: number): Pick<Span, 'startAt' | 'endAt'> {
  return { startAt, endAt: Math.max(startAt, endAt) }
}

function modelAttributes(key: string | undefined, describe: DescribeModel): Attributes {
  if (key === undefined) return {}
  const { provider, model } = describe(key)
  return { [A.provider]: provider, [A.model]: model }
}

function usageAttributes(usage: Usage): Attributes {
  return {
    [A.inputTokens]: usage.input,
    [A.outputTokens]: usage.output,
    [A.cacheReadTokens]: usage.cachedRead,
    [A.cacheWriteTokens]: usage.cachedWrite,
    [A.reasoningTokens]: usage.reasoning,
  }
}
