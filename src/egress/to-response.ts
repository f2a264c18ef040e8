import { finished, Readable } from 'node:stream'
import { EgressFailed } from './errors.ts'
import type { Answer, Call } from './exchange.ts'
import type { Lifetime } from './lifetime.ts'
import { readBody } from './read-body.ts'

const WITHOUT_BODY = [204, 205, 304]

export interface ResponseOptions {
  readonly call: Call
  readonly isRedirected: boolean
  readonly maxBytes: number
  readonly life: Lifetime
}

/** The response as `fetch` returns it: decompressed, limited and tied to its lifetime. */
export function toResponse(answer: Answer, { call, isRedirected, maxBytes, life }: ResponseOptions): Response {
  const { status } = answer
  if (status > 599) throw new EgressFailed('unreadable', `"${call.target.host}" answered with the status ${status}.`)
  const headers = headersOf(answer)
  const encoding = headers.get('content-encoding') ?? ''
  const isEmpty = call.method === 'HEAD' || WITHOUT_BODY.includes(status)
  const body = readBody(answer.body, isEmpty ? '' : encoding, maxBytes)
  finished(body, life.over)
  if (isEmpty) body.resume()
  else if (encoding !== '') for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const response = new Response(isEmpty ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>), {
    status,
    headers,
  })
  Object.defineProperty(response, 'url', { value: call.target.url.href })
  Object.defineProperty(response, 'redirected', { value: isRedirected })
  return response
}

function headersOf({ headers }: Answer): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) result.append(name, one)
  }
  return result
}
