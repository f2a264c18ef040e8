import { abortable } from '../../lib/abortable.ts'
import type { CallHooks, CallOptions } from './call-model.ts'
import { collect, type Collected } from './collect.ts'
import { describeFailure, type Failure } from './failure.ts'
import type { Model } from '../model.ts'
import { whenAnswered } from '../providers/provider-fetch.ts'
import { render, type ModelRequest } from '../render/render.ts'
import { featuresOf } from '../render/provider-features.ts'
import { watchSilence, type Patience } from './watch-silence.ts'

export async function attemptCall(
  model: Model,
  request: ModelRequest,
  hooks: CallHooks,
  options: CallOptions,
  attempt: number,
): Promise<{ collected: Collected; shown: boolean; failure: Failure | undefined }> {
  const refused = options.breakers.refuses(model.provider)
  if (refused !== undefined) {
    const collected = nothing(new Error(refused))
    return { collected, shown: false, failure: { reason: refused, retryable: false, outage: false } }
  }
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(options.signal.reason)
  if (options.signal.aborted) onAbort()
  options.signal.addEventListener('abort', onAbort)
  const silence = watchSilence(stop, patienceWith(model, options.patience))
  let shown = false
  let collected = nothing(undefined)
  try {
    stop.signal.throwIfAborted()
    whenAnswered(stop.signal, silence.answered)
    // A provider that ignores its abort signal must not block the round.
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
      callsEndLast: featuresOf(model).callsEndLast?.(model.modelId) ?? false,
      answerChars: options.answerChars,
      signal: stop.signal,
    })
  } catch (error) {
    collected.error = error ?? new Error('the model call failed')
  } finally {
    silence.stop()
    options.signal.removeEventListener('abort', onAbort)
    // The rest of the stream is not needed; a provider that ignores the abort delays nobody.
    if (collected.stopReason === null || options.oneCall) stop.abort(new Error('nothing more is wanted'))
  }
  const failure = failureOf(collected, options, silence.why())
  options.breakers.report(model.provider, failure ? (failure.outage ? 'failed' : 'neither') : 'answered')
  return { collected, shown, failure }
}

function nothing(error: unknown): Collected {
  const extras = { sources: [], files: [] }
  return { blocks: [], usage: null, stopReason: null, ignored: [], extras, remembers: [], error }
}

function failureOf(
  collected: Collected,
  { signal, patience }: Pick<CallOptions, 'signal' | 'patience'>,
  silent: string | undefined,
): Failure | undefined {
  if (collected.error === undefined && collected.stopReason !== null) return undefined
  if (signal.aborted) return { reason: 'stopped', retryable: false, outage: false }
  // A shorter timeout than usual says nothing about the provider.
  if (silent !== undefined) return { reason: silent, retryable: true, timeout: true, outage: !patience.hurried }
  if (collected.error === undefined) return { reason: 'the stream was cut', retryable: true, outage: true }
  return describeFailure(collected.error)
}

/** Some models think for long without showing it. */
function patienceWith(model: Model, patience: Patience): Patience {
  if (!featuresOf(model).thinksSilently?.(model.modelId)) return patience
  return { ...patience, firstContentMs: 2 * patience.firstContentMs }
}
