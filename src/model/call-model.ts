import type { StopReason } from '../contract/event.ts'
import { addUsage, NO_USAGE, type AssistantPart, type Json, type Usage } from '../contract/message.ts'
import { later } from '../lib/later.ts'
import type { Breakers } from './breaker.ts'
import { collect, type Block, type Collected } from './collect.ts'
import { costOf } from './cost.ts'
import { estimateUsage } from './estimate.ts'
import { describeFailure, type Failure } from './failure.ts'
import type { Model } from './model.ts'
import { parseArgs } from './parse-args.ts'
import { whenAnswered } from './provider-fetch.ts'
import { modelName, render, type ModelRequest } from './render.ts'
import { watchSilence, type Patience } from './watch-silence.ts'

/** What a turn came to. With `failure` the text is what had come until then, and no call is among the parts. */
export interface TurnResult {
  readonly parts: AssistantPart[]
  /** of all attempts that came to anything */
  readonly usage: Usage
  /** micro-dollars */
  readonly cost: number
  readonly stopReason: StopReason
  readonly ignoredCalls: number
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
  /** Before another attempt; it is stored before the attempt begins. */
  onRetry(retry: Retry): Promise<void>
  /** The model that answers when this one does not. */
  fallback(model: Model): Model | undefined
  /** What this model is asked: what fits depends on the model. */
  request(model: Model): Promise<ModelRequest>
}

export interface CallOptions {
  /** number of this model call in its round; each retry is one more */
  readonly firstCall: number
  readonly oneCall: boolean
  readonly newCallId: () => string
  readonly patience: Patience
  readonly answerChars: number
  readonly retries: number
  readonly retryBaseMs: number
  /** a provider that wants a longer wait than this is given up */
  readonly retryAfterMs: number
  readonly breakers: Breakers
  readonly signal: AbortSignal
}

/** Calls the model, again or another one where that may help, and never throws: a provider's failure is a result. */
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
    if (!failure) return { ...partsOf(collected, model), ...bill, stopReason: collected.stopReason ?? 'end_turn' }

    const mayReset = !options.signal.aborted && (!shown || resets === 0)
    const again = mayReset && failure.retryable && left > 0 && (failure.retryAfterMs ?? 0) <= options.retryAfterMs
    const other = mayReset && !again ? hooks.fallback(model) : undefined
    if (!again && (!other || tried.has(other.key))) {
      return {
        ...partsOf(collected, model, failure),
        ...bill,
        stopReason: failure.timeout ? 'timeout' : 'error',
        failure,
      }
    }
    if (shown) resets += 1
    left -= 1
    const waitMs = again ? (failure.retryAfterMs ?? backoff(options.retryBaseMs, options.retries - left)) : 0
    if (other) {
      tried.add(other.key)
      model = other
      left = options.retries
      request = await hooks.request(model)
    }
    const { reason } = failure
    await hooks.onRetry({ attempt, reason, waitMs: Math.round(waitMs), shown, model: model.key })
    if (waitMs > 0) await later(waitMs, options.signal)
  }
}

const backoff = (baseMs: number, time: number): number => baseMs * 2 ** (time - 1) * (0.5 + Math.random())

interface Attempt {
  readonly collected: Collected
  readonly shown: boolean
  readonly failure: Failure | undefined
}

async function attemptCall(
  model: Model,
  request: ModelRequest,
  hooks: CallHooks,
  options: CallOptions,
  attempt: number,
): Promise<Attempt> {
  const refused = options.breakers.refuses(model.provider)
  if (refused !== undefined) {
    const collected = nothing(new Error(refused))
    return { collected, shown: false, failure: { reason: refused, retryable: false, outage: false } }
  }
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(options.signal.reason)
  if (options.signal.aborted) onAbort()
  options.signal.addEventListener('abort', onAbort)
  const silence = watchSilence(stop, options.patience)
  let shown = false
  let collected = nothing(undefined)
  try {
    stop.signal.throwIfAborted()
    whenAnswered(stop.signal, silence.answered)
    const { stream } = await abortable(
      model.language.doStream(render(request, model, options.firstCall + attempt - 1, stop.signal)),
      stop.signal,
    )
    silence.answered()
    collected = await collect(stream, {
      onDelta: (kind, text) => {
        shown = true
        hooks.onDelta(kind, text)
      },
      onArgs: (callId, name, text) => {
        shown = true
        hooks.onArgs(callId, name, text)
      },
      onContent: silence.content,
      newCallId: options.newCallId,
      oneCall: options.oneCall,
      answerChars: options.answerChars,
      signal: stop.signal,
    })
  } catch (error) {
    collected.error = error ?? new Error('the model call failed')
  } finally {
    silence.stop()
    options.signal.removeEventListener('abort', onAbort)
    // Whatever the stream still holds is of no use; a provider that ignores this keeps nobody waiting.
    if (collected.stopReason === null || options.oneCall) stop.abort(new Error('nothing more is wanted'))
  }
  const failure = failureOf(collected, options.signal, silence.silent())
  options.breakers.report(model.provider, failure ? (failure.outage ? 'failed' : 'neither') : 'answered')
  return { collected, shown, failure }
}

function nothing(error: unknown): Collected {
  return { blocks: [], usage: null, stopReason: null, ignoredCalls: 0, error }
}

/** A provider that ignores its abort signal must not hold the round. */
function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    // First of all: a call that fails because it was stopped must not go unheard.
    promise.then(resolve, reject)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}

function failureOf(collected: Collected, signal: AbortSignal, silent: string | undefined): Failure | undefined {
  if (collected.error === undefined && collected.stopReason !== null) return undefined
  if (signal.aborted) return { reason: 'stopped', retryable: false, outage: false }
  if (silent !== undefined) return { reason: silent, retryable: true, timeout: true, outage: true }
  if (collected.error === undefined) return { reason: 'the stream was cut', retryable: true, outage: true }
  return describeFailure(collected.error)
}

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

function partsOf(collected: Collected, model: Model, failure?: Failure): Pick<TurnResult, 'parts' | 'ignoredCalls'> {
  const { blocks, stopReason } = collected
  const parts = blocks
    .filter((block) => !failure || block.type !== 'call')
    .map((block, at) => partOf(block, model, stopReason === 'max_tokens' && at === blocks.length - 1))
  return { parts, ignoredCalls: collected.ignoredCalls + (blocks.length - parts.length) }
}

/** `cut`: the answer ended here because it was too long. Arguments that are empty then are not known to be meant so. */
function partOf(block: Block, model: Model, cut: boolean): AssistantPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const data = plain(block.meta)
  const meta = { of: modelName(model), ...(data !== undefined && { data }) }
  if (block.type === 'reasoning') return { type: 'reasoning', text: block.text, meta }
  const parsed = parseArgs(block.raw)
  const input = cut && Object.keys(parsed ?? {}).length === 0 ? undefined : parsed
  return {
    type: 'tool_use',
    id: block.callId,
    name: block.name,
    input: input ?? {},
    ...(input === undefined && { raw: block.raw.toWellFormed() }),
    providerId: block.providerId,
    ...(data !== undefined && { meta }),
  }
}

/** What a provider wants back is kept as far as it can be written down. */
function plain(meta: unknown): Json | undefined {
  if (meta === undefined) return undefined
  try {
    return JSON.parse(JSON.stringify(meta)) as Json
  } catch {
    return undefined
  }
}
