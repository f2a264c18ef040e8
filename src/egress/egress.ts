import type { Resolve } from './checked-addresses.ts'
import type { Dial } from './connect.ts'
import { EgressFailed } from './errors.ts'
import type { Sender } from './sender.ts'
import { readOrigin, readTarget } from './target.ts'

/** The only way out to a URL that somebody else wrote. */
export interface Egress {
  /** Like the global `fetch`, but for public addresses only. Rejects with EgressRefused, EgressFailed or the reason of `signal`. */
  fetch(url: string | URL, init?: EgressInit): Promise<Response>
  /** Ends everything under way; nothing can be sent afterwards. */
  close(): Promise<void>
}

interface Bounds {
  readonly maxRedirects?: number
  /** of the body as it comes and as it is unpacked; `Infinity` for streams without end */
  readonly maxBytes?: number
  /** until the head of each answer */
  readonly headersMs?: number
  /** until the end of the last body; `Infinity` for streams without end */
  readonly totalMs?: number
}

export interface EgressInit extends RequestInit, Bounds {
  /** Whether a redirect is wanted; if not, its answer is returned as it is. */
  readonly follow?: (to: URL) => boolean
  /** Called before the first byte may have left, and not if nothing was sent. */
  readonly onSend?: () => void
}

/** Its bounds hold for every request that does not say otherwise. */
export interface EgressOptions extends Bounds {
  readonly resolve?: Resolve
  readonly dial?: Dial
  /** the addresses of this machine */
  readonly own?: () => readonly string[]
  /** origins an operator allows to be private: exact, and without redirects */
  readonly privateOrigins?: readonly string[]
  /** for looking up a name, and again for connecting */
  readonly connectMs?: number
  readonly headerBytes?: number
}

export function createEgress(options: EgressOptions = {}): Egress {
  const privateOrigins = new Set((options.privateOrigins ?? []).map(readOrigin))
  const closing = new AbortController()
  let sender: Promise<Sender> | undefined
  return {
    async fetch(url, init = {}) {
      if (closing.signal.aborted) throw new EgressFailed('closed', 'Segno is closing its connections.')
      const target = readTarget(url, privateOrigins)
      // Loaded with the first request: what Node has for names, TLS and packed bodies comes with it.
      sender ??= import('./sender.ts').then((module) => module.createSender(options, privateOrigins, closing.signal))
      return (await sender).send(target, init)
    },
    async close() {
      closing.abort()
      await (await sender)?.close()
    },
  }
}

/**
 * For clients that take a `fetch` and have deadlines and limits of their own, and streams that live for hours: every rule
 * of egress holds, but an answer may take as long and be as large as they let it.
 */
export function asFetch(egress: Egress): typeof globalThis.fetch {
  return (input, init) => {
    // Its body can be read only once, and its URL was written by whoever made it.
    if (input instanceof Request) return Promise.reject(new TypeError('Give a URL and its options, not a Request.'))
    return egress.fetch(input, { ...init, headersMs: Infinity, totalMs: Infinity, maxBytes: Infinity })
  }
}
