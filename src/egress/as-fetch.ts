import type { Egress } from './egress.ts'

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
