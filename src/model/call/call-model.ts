import type { IgnoredCall, StopReason } from '../../contract/event.ts'
import { addUsage, NO_USAGE, type AssistantPart, type Usage } from '../../contract/message.ts'
import { later } from '../../lib/later.ts'
import { answerParts } from './answer-parts.ts'
import { attemptCall } from './attempt-call.ts'
import type { Breakers } from './breaker.ts'
import type { Collected } from './collect.ts'
import { costOf } from './cost.ts'
import { estimateUsage } from './estimate.ts'
import type { Failure } from './failure.ts'
import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import type { Patience } from './watch-silence.ts'

/** What a turn came to. With `failure` the text is what had come until then, and no call is among the parts. */
export interface TurnResult {
  readonly parts: AssistantPart[]
  /** of all attempts that came to anything */
  readonly usage: Usage
  /** micro-dollars */
  readonly cost: number
  readonly stopReason: StopReason
  readonly ignored: readonly IgnoredCall[]
  readonly failure?: Failure
}

export interface Retry {
  readonly attempt: number
  readonly reason: string
  readonly waitMs: number
  /** followers must forget this turn's text */
  readonly shown: boolean
  /** the model that is asked next */
  readonly model: string
}

export interface CallHooks {
  onDelta(kind: 'text' | 'reasoning', text: string): void
  onArgs(callId: string, name: string, text: string): void
  /** Before another attempt; it is stored before the attempt begins. False: there is to be none. */
  onRetry(retry: Retry, next: { readonly model: Model; readonly request: ModelRequest }): Promise<boolean>
  /** The model that answers when this one does not. */
  fallback(model: Model): Model | undefined
  /** What this model is asked: what fits depends on the model. */
  request(model: Model): Promise<ModelRequest>
}

export interface CallOptions {
  /** number of this model call in its round; each retry is one more */
  readonly firstCall: number
  /** stop reading at the first complete call */
  readonly oneCall: boolean
  readonly newCallId: () => string
  readonly patience: Patience
  /** characters of one answer, thoughts and arguments included */
  readonly answerChars: number
  readonly retries: number
  readonly retryBaseMs: number
  /** a provider that wants a longer wait than this is given up */
  readonly retryAfterMs: number
  readonly breakers: Breakers
  readonly signal: AbortSignal
}

/**
 * Calls the model, again or another one where that may help, and throws nothing but what its hooks do: a
 * provider's failure is a result.
 */
export async function callModel(first: Model, hooks: CallHooks, options: CallOptions): Promise<TurnResult> {
  const bill = { usage: NO_USAGE, cost: 0 }
  const tried = new Set([first.key])
  let model = first
  let request = await hooks.request(model)
  let resets = 0
  let left = options.retries
  for (let attempt = 1; ; attempt++) {
    const { collected, shown, failure } = await attemptCall(model, request, hooks, options, attempt)
    if (!failure || collected.blocks.length > 0) await charge(bill, model, request, collected, options.signal.aborted)
    if (!failure)
      return { ...answerParts(collected, model, false), ...bill, stopReason: collected.stopReason ?? 'end_turn' }

    const mayReset = !options.signal.aborted && (!shown || resets === 0)
    const again = mayReset && failure.retryable && left > 0 && (failure.retryAfterMs ?? 0) <= options.retryAfterMs
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
    if (waitMs > 0) await later(waitMs, options.signal)
  }
}

const backoff = (baseMs: number, time: number): number => baseMs * 2 ** (time - 1) * (0.5 + Math.random())

/** What an attempt used, told by the provider or else counted; what has no price is marked. */
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
