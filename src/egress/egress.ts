import { checkedAddresses, ownAddresses, type Resolve, systemResolve } from './checked-addresses.ts'
import { type Dial, dialTcp } from './connect.ts'
import { createConnections } from './connections.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import { type Answer, type Call, exchange } from './exchange.ts'
import { type Lifetime, startLifetime } from './lifetime.ts'
import { readCall } from './read-call.ts'
import { redirected, redirectOf } from './redirect.ts'
import { readOrigin, readTarget } from './target.ts'
import { toResponse } from './to-response.ts'

/** The only way out to a URL that somebody else wrote. */
export interface Egress {
  /** Like the global `fetch`, but for public addresses only. Rejects with EgressRefused, EgressFailed or the reason of `signal`. */
  fetch(url: string | URL, init?: EgressInit): Promise<Response>
  /** Ends everything under way; nothing can be sent afterwards. */
  close(): Promise<void>
}

export interface EgressInit extends RequestInit {
  readonly maxRedirects?: number
  /** of the body as it comes and as it is unpacked; `Infinity` for streams without end */
  readonly maxBytes?: number
  /** until the head of each answer */
  readonly headersMs?: number
  /** until the end of the last body; `Infinity` for streams without end */
  readonly totalMs?: number
  /** Whether a redirect is wanted; if not, its answer is returned as it is. */
  readonly follow?: (to: URL) => boolean
  /** Called before the first byte may have left, and not if nothing was sent. */
  readonly onSend?: () => void
}

export interface EgressOptions {
  readonly resolve?: Resolve
  readonly dial?: Dial
  /** the addresses of this machine */
  readonly own?: () => readonly string[]
  /** origins an operator allows to be private: exact, and without redirects */
  readonly privateOrigins?: readonly string[]
  /** for looking up a name, and again for connecting */
  readonly connectMs?: number
  readonly headersMs?: number
  readonly totalMs?: number
  readonly maxBytes?: number
  readonly headerBytes?: number
  readonly maxRedirects?: number
}

const DEFAULTS = {
  connectMs: 10_000,
  headersMs: 30_000,
  totalMs: 60_000,
  maxBytes: 10 * 1024 * 1024,
  headerBytes: 32 * 1024,
  maxRedirects: 5,
}

export function createEgress(options: EgressOptions = {}): Egress {
  const { resolve = systemResolve, dial = dialTcp, own = ownAddresses } = options
  const limits = { ...DEFAULTS, ...options }
  const { connectMs, headerBytes } = limits
  const privateOrigins = new Set((options.privateOrigins ?? []).map(readOrigin))
  const connections = createConnections({ dial, connectMs, headerBytes })
  const closing = new AbortController()

  const answerTo = async (call: Call, headersMs: number, life: Lifetime, onSend: () => void): Promise<Answer> => {
    const addresses = await life.within(
      connectMs,
      `Looking up "${call.target.host}"`,
      checkedAddresses(call.target, { resolve, own, signal: life.signal }),
    )
    const pool = await connections.to(call.target, addresses)
    const answer = exchange(pool, call, life.signal, onSend)
    return life.within(headersMs, `The answer of "${call.target.host}"`, answer)
  }

  const follow = async (first: Call, init: EgressInit, life: Lifetime): Promise<Response> => {
    const { maxRedirects = limits.maxRedirects, headersMs = limits.headersMs, maxBytes = limits.maxBytes } = init
    let call = first
    for (let hops = 0; ; hops++) {
      const answer = await answerTo(call, headersMs, life, init.onSend ?? (() => undefined))
      const to = init.redirect === 'manual' ? undefined : redirectOf(answer, call.target.url)
      if (to === undefined || init.follow?.(to) === false)
        return toResponse(answer, { call, isRedirected: hops > 0, maxBytes, life })
      answer.body.destroy()
      if (init.redirect === 'error') throw new EgressRefused('redirect', `${call.target.url.host} redirects.`)
      if (hops >= maxRedirects)
        throw new EgressRefused('too_many_redirects', `More than ${maxRedirects} redirects are not followed.`)
      call = redirected(call, answer.status, readTarget(to, privateOrigins))
    }
  }

  return {
    async fetch(url, init = {}) {
      if (closing.signal.aborted) throw new EgressFailed('closed', 'Segno is closing its connections.')
      const target = readTarget(url, privateOrigins)
      const { totalMs = limits.totalMs, signal: caller } = init
      const life = startLifetime({ totalMs, closing: closing.signal, caller })
      try {
        return await follow(await readCall(target, init), init, life)
      } catch (error) {
        life.fail(error)
        throw error
      }
    },
    async close() {
      closing.abort()
      await connections.close()
    },
  }
}
