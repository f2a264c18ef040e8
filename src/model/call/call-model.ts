import type { IgnoredCall, RetryOptions } from '../../contract/event.ts'
import type { StopReason } from '../../contract/outcome.ts'
import { addUsage, NO_USAGE, type AssistantPart, type Usage } from '../../contract/message.ts'
import { delay } from '../../lib/delay.ts'
import { answerParts } from './answer-parts.ts'
import { attemptCall } from './attempt-call.ts'
import type { Breakers } from './breaker.ts'
import type { Collected } from './collect.ts'
import { costOf } from './cost.ts'
import { estimateUsage } from './estimate.ts'
import { isRetryable, type Failure } from './failure.ts'
import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import type { Patience } from './watch-silence.ts'

/** The result of a turn; with `failure` it has the text so far and no calls. */
export interface TurnResult {
  readonly parts: AssistantPart[]
  /** of all attempts that produced anything */
  readonly usage: Usage
  readonly cost: number
  readonly stopReason: StopReason
  readonly ignored: readonly IgnoredCall[]
  readonly failure?: Failure
}

interface Retry {
  readonly attempt: number
  readonly reason: string
  readonly waitMs: number
  /** readers must discard this turn's text */
  readonly shown: boolean
  /** the model of the next attempt */
  readonly model: string
}

export interface CallHooks {
  onDelta(kind: 'text' | 'reasoning', text: string): void
  onArgs(callId: string, name: string, text: string): void
  /** Called right before each attempt; what it throws is thrown. */
  onAttempt?(): void
  /** Called and stored before another attempt; false prevents it. */
  onRetry(retry: Retry, next: { readonly model: Model; readonly request: ModelRequest }): Promise<boolean>
  fallback(model: Model): Model | undefined
  /** The request for this model, since what fits depends on it. */
  request(model: Model): Promise<ModelRequest>
}

export interface CallOptions {
  /** number of this model call in its round; each retry counts */
  readonly firstCall: number
  /** stop reading at the first complete call */
  readonly oneCall: boolean
  readonly newCallId: () => string
  readonly patience: Patience
  /** characters of one answer including reasoning and arguments */
  readonly answerChars: number
  readonly retries: number
  readonly retryBaseMs: number
  /** what is tried again; default whatever may help */
  readonly retryOn?: RetryOptions['retryableErrors'] | undefined
  /** a provider that asks for a longer wait is given up */
  readonly retryAfterMs: number
  readonly breakers: Breakers
  readonly signal: AbortSignal
}

/**
 * Calls a model with retries and fallbacks; a provider's failure is a result, and only errors of the hooks are thrown.
 */
export async function callModel(first: Model, hooks: CallHooks, options: CallOptions): Promise<TurnResult> {
  const bill = { usage: NO_USAGE, cost: 0 }
  const tried = new Set([first.key])
  let model = first
  let request = await hooks.request(model)
  let resets = 0
  let left = options.retries
  for (let attempt = 1; ; attempt++) {
    hooks.onAttempt?.()
    const { collected, shown, failure } = await attemptCall(model, request, hooks, options, attempt)
    if (!failure || collected.blocks.length > 0) await charge(bill, model, request, collected, options.signal.aborted)
    if (!failure)
      return { ...answerParts(collected, model, false), ...bill, stopReason: collected.stopReason ?? 'end_turn' }

    const mayReset = !options.signal.aborted && (!shown || resets === 0)
    const mayWait = (failure.retryAfterMs ?? 0) <= options.retryAfterMs
    const again = mayReset && isRetryable(failure, options.retryOn) && left > 0 && mayWait
    const other = mayReset && !again ? hooks.fallback(model) : undefined
    const failed = (): TurnResult => ({
      ...answerParts(collected, model, true),
      ...bill,
      stopReason: failure.timeout ? 'timeout' : 'error',
      failure,
    })
    if (!again && (!other || tried.has(other.key))) return failed()
    if (shown) resets += 1
    left -= 1
    const wait = backoff(options.retryBaseMs, failure.retryAfterMs === undefined ? options.retries - left : 1)
    const waitMs = again ? Math.max(failure.retryAfterMs ?? 0, wait) : 0
    if (other) {
      tried.add(other.key)
      model = other
      left = options.retries
      request = await hooks.request(model)
    }
    const { reason } = failure
    const retry = { attempt, reason, waitMs: Math.round(waitMs), shown, model: model.key }
    if (!(await hooks.onRetry(retry, { model, request }))) return failed()
    if (waitMs > 0) await delay(waitMs, options.signal)
  }
}

const backoff = (baseMs: number, time: number): number => baseMs * 2 ** (time - 1) * (0.5 + Math.random())

/** Adds the usage of an attempt, estimated if the provider did not report it; usage without a price is marked. */
async function charge(
  bill: { usage: Usage; cost: number },
  model: Model,
  request: ModelRequest,
  collected: Collected,
  hurry: boolean,
): Promise<void> {
  const usage = collected.usage ?? (await estimateUsage(request, collected.blocks, model, hurry))
  bill.usage = addUsage(bill.usage, model.prices ? usage : { ...usage, unpriced: true })
  if (model.prices) bill.cost += costOf(usage, model.prices)
}
