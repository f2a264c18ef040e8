import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { StopReason } from '../contract/event.ts'
import type { AssistantPart, Json, Usage } from '../contract/message.ts'
import { later } from '../lib/later.ts'
import { collect, parseArgs, type Block, type Collected } from './collect.ts'
import { describeFailure, type Failure } from './failure.ts'
import { render, type ModelRequest } from './render.ts'
import { watchSilence } from './watch-silence.ts'

/** What a turn came to. With `failure` the text is what had come until then, and no call is among the parts. */
export interface TurnResult {
  readonly parts: AssistantPart[]
  readonly usage: Usage
  readonly stopReason: StopReason
  readonly ignoredCalls: number
  readonly failure?: Failure
}

export interface CallHooks {
  onDelta(kind: 'text' | 'reasoning', text: string): void
  onArgs(callId: string, name: string, text: string): void
  /** Before another attempt; it is stored before the attempt begins. `shown`: followers must forget this turn's text. */
  onRetry(retry: { attempt: number; reason: string; waitMs: number; shown: boolean }): Promise<void>
}

export interface CallOptions {
  /** number of this model call in its round; each retry is one more */
  readonly firstCall: number
  readonly oneCall: boolean
  readonly newCallId: () => string
  readonly modelCallMs: number
  readonly contentGapMs: number
  readonly retries: number
  readonly retryBaseMs: number
  readonly signal: AbortSignal
}

/** Calls the model, again where that may help, and never throws: a provider's failure is a result. */
export async function callModel(
  model: LanguageModelV4,
  request: ModelRequest,
  hooks: CallHooks,
  options: CallOptions,
): Promise<TurnResult> {
  let resets = 0
  for (let attempt = 1; ; attempt++) {
    const { collected, shown, failure } = await attemptCall(model, request, hooks, options, attempt)
    if (!failure) return result(request, collected)
    const again = failure.retryable && attempt <= options.retries && !options.signal.aborted && (!shown || resets === 0)
    if (!again) return { ...result(request, collected, failure), failure }
    if (shown) resets += 1
    const waitMs = failure.retryAfterMs ?? options.retryBaseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
    await hooks.onRetry({ attempt, reason: failure.reason, waitMs: Math.round(waitMs), shown })
    await later(waitMs, options.signal)
  }
}

interface Attempt {
  collected: Collected
  shown: boolean
  failure: Failure | undefined
}

async function attemptCall(
  model: LanguageModelV4,
  request: ModelRequest,
  hooks: CallHooks,
  options: CallOptions,
  attempt: number,
): Promise<Attempt> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(options.signal.reason)
  if (options.signal.aborted) onAbort()
  options.signal.addEventListener('abort', onAbort)
  const silence = watchSilence(stop, options)
  let shown = false
  let collected: Collected = { blocks: [], usage: null, stopReason: null, ignoredCalls: 0, error: undefined }
  try {
    stop.signal.throwIfAborted()
    const { stream } = await abortable(
      model.doStream(render(request, options.firstCall + attempt - 1, stop.signal)),
      stop.signal,
    )
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
      signal: stop.signal,
    })
  } catch (error) {
    collected.error = error ?? new Error('the model call failed')
  } finally {
    silence.stop()
    options.signal.removeEventListener('abort', onAbort)
    // Whatever the stream still holds is of no use; a provider that ignores this keeps nobody waiting.
    if (options.oneCall && collected.stopReason === 'tool_use') stop.abort(new Error('the call is complete'))
  }
  return { collected, shown, failure: failureOf(collected, options.signal, silence.silent()) }
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
  if (signal.aborted) return { reason: 'stopped', retryable: false }
  if (silent !== undefined) return { reason: silent, retryable: true, timeout: true }
  if (collected.error === undefined) return { reason: 'the stream was cut', retryable: true }
  return describeFailure(collected.error)
}

function result(request: ModelRequest, collected: Collected, failure?: Failure): TurnResult {
  const parts = collected.blocks.filter((block) => !failure || block.type !== 'call').map(partOf)
  const ignoredCalls = collected.ignoredCalls + (collected.blocks.length - parts.length)
  return {
    parts,
    usage: collected.usage ?? estimate(request, collected.blocks),
    stopReason: failure ? (failure.timeout ? 'timeout' : 'error') : (collected.stopReason ?? 'end_turn'),
    ignoredCalls,
  }
}

function partOf(block: Block): AssistantPart {
  if (block.type !== 'call') {
    const meta = plain(block.meta)
    return { type: block.type, text: block.text, ...(meta !== undefined && { meta }) }
  }
  const input = parseArgs(block.raw)
  return {
    type: 'tool_use',
    id: block.callId,
    name: block.name,
    input: input ?? {},
    ...(input === undefined && { raw: block.raw.toWellFormed() }),
    providerId: block.providerId,
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

/** Usage that never came (the stream was stopped) is guessed and marked. */
function estimate(request: ModelRequest, blocks: readonly Block[]): Usage {
  let input = 0
  for (const layer of request.prompt.layers) input += layer.text.length
  for (const message of request.prompt.messages) {
    for (const part of message.content) input += 'text' in part ? part.text.length : 100
  }
  const output = blocks.reduce((sum, block) => sum + (block.type === 'call' ? block.raw.length : block.text.length), 0)
  return { input: Math.ceil(input / 3), output: Math.ceil(output / 3), estimated: true }
}
