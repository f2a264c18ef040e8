import { Buffer } from 'node:buffer'
import { VERSION } from '../lib/version.ts'
import type { Call } from './exchange.ts'
import { ACCEPTED_ENCODINGS } from './read-body.ts'
import type { Target } from './target.ts'

/** Set by the connection itself; a caller could use them to name another host or split the request. */
const NOT_FOR_CALLERS = 'host connection keep-alive content-length transfer-encoding te trailer upgrade expect'.split(
  ' ',
)
const OURS = ['accept-encoding', 'proxy-authorization', 'proxy-connection']

/** Reads a request; the platform's Request validates method, headers and body. */
export async function readCall(target: Target, { method, headers, body }: RequestInit): Promise<Call> {
  const request = new Request(target.url, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body, duplex: 'half' }),
  })
  // Buffered, because a redirect may need it again.
  const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  const sent = new Headers(request.headers)
  for (const name of [...NOT_FOR_CALLERS, ...OURS]) sent.delete(name)
  sent.set('accept-encoding', ACCEPTED_ENCODINGS)
  if (!sent.has('accept')) sent.set('accept', '*/*')
  if (!sent.has('user-agent')) sent.set('user-agent', `Segno/${VERSION}`)
  return { target, method: request.method, headers: sent, body: bytes }
}
