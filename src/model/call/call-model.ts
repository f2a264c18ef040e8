import type { IgnoredCall } from '../../contract/event.ts'
import type { RetryOptions } from '../../contract/round-started.ts'
import type { StopReason } from '../../contract/outcome.ts'
import {
  addUsage,
  NO_USAGE,
  type AssistantPart,
  type ProviderMeta,
  type Source,
  type Usage,
} from '../../contract/message.ts'
import { delay } from '../../lib/delay.ts'
import { answerParts } from './answer-parts.ts'
import { attemptCall } from './attempt-call.ts'
import type { Breakers } from './breaker.ts'
import type { Collected } from './collect.ts'
import { costOf } from './cost.ts'
import { estimateUsage } from './estimate.ts'
import { isRetryable, type Failure } from './failure.ts'
import { learnWindow } from './learn-window.ts'
import type { LearnedWindows } from './learned-windows.ts'
import type { Model } from '../model.ts'
import { render, type ModelRequest } from '../render/render.ts'
import { saidBy } from './said-by.ts'
import type { Made } from './take-extras.ts'
import type { Patience } from './watch-silence.ts'

/** The result of a turn; with `failure` it has the text so far and no calls. */
export interface TurnResult {
  readonly parts: AssistantPart[]
  /** of all attempts that produced anything */
  readonly usage: Usage
  readonly cost: number
  readonly stopReason: StopReason
  readonly ignored: readonly IgnoredCall[]
  readonly sources?: readonly Source[]
  /** files */
  readonly made?: readonly (Omit<Made, 'meta'> & { readonly meta?: ProviderMeta })[]
  /** what its tags want remembered */
  readonly remembers?: readonly string[]
  readonly failure?: Failure
  /** what the provider said about it, cleaned and cut; for those who may read traces */
  readonly said?: string
  /** what is wrong with the answer, if it is not what was asked for */
  readonly misfit?: string
}

interface Retry {
  readonly attempt: number
  readonly reason: string
  readonly waitMs: number
  /** readers must discard this turn's text */
  readonly shown: boolean
  /** the model of the next attempt */
  readonly model: string
  /** as in a result */
  readonly said?: string
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
  /** What is wrong with an answer that came whole; undefined if nothing is. */
  misfit?(parts: readonly AssistantPart[]): Promise<string | undefined>
  /** The request for another answer instead of one that does not fit. */
  correct?(model: Model): Promise<ModelRequest>
  /** A smaller request, if there is one, for a model that found this one too long; asked once a call. */
  shrink?(model: Model, request: ModelRequest): Promise<ModelRequest | undefined>
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
  /** remembers windows that turn out to be smaller; by default nobody does */
  readonly windows?: LearnedWindows
  /** takes secrets out of what a provider said */
  readonly redact?: (text: string) => string
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
  const change = changesOnce(hooks)
  for (let attempt = 1; ; attempt++) {
    hooks.onAttempt?.()
    const { collected, shown, failure } = await attemptCall(model, request, hooks, options, attempt)
    const isCharged = !failure || collected.blocks.length > 0 || collected.usage !== null
    if (isCharged) await charge(bill, model, request, collected, options.signal.aborted)
    if (!failure) {
      const answer = answerParts(collected, model, false)
      const stopReason = collected.stopReason ?? 'end_turn'
      const misfit = await hooks.misfit?.(answer.parts)
      if (misfit === undefined) return { ...answer, ...bill, stopReason }
      // Where the answer was too long or not wanted, another one would be too.
      const isWhole = stopReason === 'end_turn' || stopReason === 'tool_use'
      const mayCorrect = resets === 0 && left > 0 && isWhole && !options.signal.aborted
      if (!mayCorrect || !hooks.correct) return { ...answer, ...bill, stopReason, misfit }
      resets += 1
      left -= 1
      request = await hooks.correct(model)
      const retry = { attempt, reason: MISFIT, waitMs: 0, shown, model: model.key }
      if (!(await hooks.onRetry(retry, { model, request }))) return { ...answer, ...bill, stopReason, misfit }
      continue
    }

    const words = options.signal.aborted ? undefined : await wordsOf(collected.error, request, model, options)
    const said = words === undefined ? {} : { said: words.slice(0, SAID_CHARS).toWellFormed() }
    // The model that said it; by then another one may be asked.
    const broken = answerParts(collected, model, true)
    const failed = (): TurnResult => ({
      ...broken,
      ...bill,
      stopReason: failure.timeout ? 'timeout' : 'error',
      failure,
      ...said,
    })
    if (failure.tooLong === 'tokens' && options.windows) {
      await learnWindow(options.windows, model, request, words)
      model = options.windows.fit(model)
    }
    const better = shown ? undefined : await change(failure, model, request)
    if (better) {
      request = better.request
      const retry = {
        attempt,
        reason: `${failure.reason}, so ${better.how}`,
        waitMs: 0,
        shown,
        model: model.key,
        ...said,
      }
      if (!(await hooks.onRetry(retry, { model, request }))) return failed()
      continue
    }
    const mayReset = !options.signal.aborted && (!shown || resets === 0)
    const mayWait = (failure.retryAfterMs ?? 0) <= options.retryAfterMs
    const again = mayReset && isRetryable(failure, options.retryOn) && left > 0 && mayWait
    const other = mayReset && !again ? hooks.fallback(model) : undefined
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
    const retry = { attempt, reason, waitMs: Math.round(waitMs), shown, model: model.key, ...said }
    if (!(await hooks.onRetry(retry, { model, request }))) return failed()
    if (waitMs > 0) await delay(waitMs, options.signal)
  }
}

const MISFIT = 'the answer does not fit its schema'

/** Another request where this one was refused for what it is; for each reason once. */
function changesOnce(hooks: CallHooks) {
  let mayShrink = true
  return async ({ tooLong, badThoughts }: Failure, model: Model, request: ModelRequest) => {
    const withoutThoughts = lastAnswer(request)
    if (badThoughts && withoutThoughts !== undefined && withoutThoughts !== request.withoutThoughts)
      return { request: { ...request, withoutThoughts }, how: 'they are left out' }
    if (!tooLong || !mayShrink) return undefined
    mayShrink = false
    const smaller = await hooks.shrink?.(model, request)
    return smaller && { request: smaller, how: 'it is made shorter' }
  }
}

/** How much is kept of what a provider says. */
const SAID_CHARS = 500

function wordsOf(error: unknown, request: ModelRequest, model: Model, { signal, redact }: CallOptions) {
  return saidBy(error, () => [render(request, model, 0, signal), model.modelId], redact)
}

const lastAnswer = ({ prompt }: ModelRequest): string | undefined =>
  prompt.messages.findLast(({ role }) => role === 'assistant')?.eventIds.at(-1)

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
