import type { Chunk } from '../contract/knowledge.ts'
import { Problem } from '../contract/problem.ts'
import { fairShare } from '../lib/fair-share.ts'
import type { DocumentLimits } from './parse/document-fault.ts'
import { parseDocument } from './parse/parse-document.ts'

/** For each document that is read, so many may wait. */
const WAITING = 4
const RETRY_AFTER_MS = 5000

export interface ParsingOptions {
  /** how many are read at once */
  readonly parsers: number
  readonly limits: DocumentLimits
  /** when it is aborted, nothing is read any more */
  readonly signal?: AbortSignal
}

/** Reads documents, a few at once; a tenant that uploads much leaves room for others. */
export function createParsing({ parsers, limits, signal }: ParsingOptions) {
  const places = fairShare(parsers * (1 + WAITING))
  const waiting: { readonly tenant: string; begin(): void }[] = []
  /** the tenant of each document that is read */
  const running: string[] = []

  async function turn(tenant: string): Promise<void> {
    if (running.length >= parsers) return new Promise((resolve) => waiting.push({ tenant, begin: resolve }))
    running.push(tenant)
  }

  /** Hands the turn to who waits longest of those whose tenant has fewest. */
  function endTurn(tenant: string): void {
    running.splice(running.indexOf(tenant), 1)
    // Of two that have as many, the one that just had a turn waits.
    const has = (one: string): number => running.filter((each) => each === one).length + (one === tenant ? 0.5 : 0)
    const [next] = waiting.toSorted((one, other) => has(one.tenant) - has(other.tenant))
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    running.push(next.tenant)
    next.begin()
  }

  return async (tenant: string, bytes: Uint8Array, contentType: string): Promise<Chunk[]> => {
    const leave = places.take(tenant)
    if (!leave)
      throw new Problem('RATE_LIMITED', 'Too many documents are being read now (limit PARSERS); try again soon.', {
        retryAfterMs: RETRY_AFTER_MS,
      })
    try {
      await turn(tenant)
      try {
        return await parseDocument(bytes, contentType, { limits, signal }).catch((error: unknown) => {
          if (signal?.aborted) throw new Problem('SHUTTING_DOWN', 'Segno is stopping; upload the document again.')
          throw error
        })
      } finally {
        endTurn(tenant)
      }
    } finally {
      leave()
    }
  }
}
