import { Readable } from 'node:stream'
import type { Dispatcher, Pool } from 'undici'
import { EgressFailed, EgressRefused } from './errors.ts'
import type { Target } from './target.ts'

export interface Call {
  readonly target: Target
  readonly method: string
  readonly headers: Headers
  readonly body: Buffer | undefined
}

/** A response whose body is still being received. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** Sends a request and waits for the response headers; `onSend` is called before the first byte may have left. */
export function exchange(pool: Pool, call: Call, signal: AbortSignal, onSend: () => void): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { url } = call.target
  let body: Readable | undefined
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      if (signal.aborted) return controller.abort(asError(signal.reason))
      onSend()
      const stop = (): void => controller.abort(asError(signal.reason))
      signal.addEventListener('abort', stop, { once: true })
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return
      body = bodyOf(controller)
      resolve({ status, headers, body })
    },
    onResponseData(controller, chunk) {
      if (body?.push(chunk) === false) controller.pause()
    },
    onResponseEnd() {
      body?.push(null)
    },
    onResponseError(_controller, error) {
      const failure = signal.aborted ? asError(signal.reason) : failureOf(error, call.target.host)
      body?.destroy(failure)
      reject(failure)
    },
  }
  pool.dispatch(
    {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: call.method,
      headers: Object.fromEntries(call.headers),
      body: call.body ?? null,
    },
    handler,
  )
  return promise
}

function bodyOf(controller: Dispatcher.DispatchController): Readable {
  return new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      if (!this.readableEnded) controller.abort(error ?? new Error('not read to its end'))
      done(error)
    },
  })
}

function failureOf(error: Error, host: string): Error {
  if (error instanceof EgressFailed || error instanceof EgressRefused) return error
  const { code = error.name } = error as { code?: string }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new EgressFailed('too_large', `"${host}" answered with more headers than are read.`, error)
  if (error.name === 'HTTPParserError')
    return new EgressFailed('unreadable', `"${host}" answered with something that is not HTTP.`, error)
  return new EgressFailed('lost', `The connection to "${host}" was lost (${code}).`, error)
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
