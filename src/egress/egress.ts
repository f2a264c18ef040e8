import type { Resolve } from './checked-addresses.ts'
import type { Dial } from './connect.ts'
import { EgressFailed } from './errors.ts'
import type { Sender } from './sender.ts'
import { readOrigin, readTarget } from './target.ts'

/** The only way to request a URL that somebody else wrote. */
export interface Egress {
  /**
   * Like the global `fetch`, but for public addresses only; rejects with EgressRefused, EgressFailed or the signal's
   * reason.
   */
  fetch(url: string | URL, init?: EgressInit): Promise<Response>
  /** Looks up where a URL leads without sending anything; rejects as `fetch` would. */
  check(url: string | URL): Promise<void>
  /** Ends all requests; nothing can be sent afterwards. */
  close(): Promise<void>
}

interface Bounds {
  readonly maxRedirects?: number
  /** of the body, both compressed and decompressed; `Infinity` for endless streams */
  readonly maxBytes?: number
  /** until the headers of each response */
  readonly headersMs?: number
  /** until the end of the body; `Infinity` for endless streams */
  readonly totalMs?: number
}

export interface EgressInit extends RequestInit, Bounds {
  /** Whether to follow a redirect; if not, its response is returned. */
  readonly follow?: (to: URL) => boolean
  /** Called before the first byte may have left, and never if nothing was sent. */
  readonly onSend?: () => void
}

/** Its bounds are the defaults of all requests. */
export interface EgressOptions extends Bounds {
  readonly resolve?: Resolve
  readonly dial?: Dial
  readonly own?: () => readonly string[]
  /** private origins an operator allows, exactly and without redirects */
  readonly privateOrigins?: readonly string[]
  /** for resolving the name, and again for connecting */
  readonly connectMs?: number
  readonly headerBytes?: number
}

export function createEgress(options: EgressOptions = {}): Egress {
  const privateOrigins = new Set((options.privateOrigins ?? []).map(readOrigin))
  const closing = new AbortController()
  let sender: Promise<Sender> | undefined
  function load(): Promise<Sender> {
    if (closing.signal.aborted) throw new EgressFailed('closed', 'Segno is closing its connections.')
    // Loaded with the first request, because it brings DNS, TLS and compression with it.
    return (sender ??= import('./sender.ts').then(({ createSender }) =>
      createSender(options, privateOrigins, closing.signal),
    ))
  }
  return {
    async fetch(url, init = {}) {
      const target = readTarget(url, privateOrigins)
      return (await load()).send(target, init)
    },
    async check(url) {
      const target = readTarget(url, privateOrigins)
      await (await load()).check(target)
    },
    async close() {
      closing.abort()
      await (await sender)?.close()
    },
  }
}

/** For clients that take a `fetch` and have their own timeouts and limits. */
export function asFetch(egress: Egress): typeof globalThis.fetch {
  return (input, init) => {
    // A Request's body can be read only once.
    if (input instanceof Request) return Promise.reject(new TypeError('Give a URL and its options, not a Request.'))
    return egress.fetch(input, { ...init, headersMs: Infinity, totalMs: Infinity, maxBytes: Infinity })
  }
}
