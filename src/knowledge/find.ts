import type { Found, Passage } from '../contract/knowledge.ts'
import { Problem } from '../contract/problem.ts'
import { abortable } from '../lib/abortable.ts'
import { takingTurns } from '../lib/taking-turns.ts'
import { chunkKey, type KnowledgeStore, type SearchQuery } from '../store/index.ts'
import { QUESTION_CHARS } from './embed-question.ts'
import { fuse } from './find-fused.ts'

interface FindQuery {
  readonly tenant: string
  readonly workspaceIds: readonly string[]
  readonly text: string
  readonly limit: number
  readonly signal?: AbortSignal
}

export type Find = (query: FindQuery) => Promise<readonly Found[]>

type LimitedQuery = SearchQuery & { readonly signal: AbortSignal }

export interface FindOptions {
  /** The question as a vector that can be compared with those of chunks; undefined if there is none. */
  vectorOf(text: string, tenant: string): Promise<SearchQuery['vector']>
  /** what is found by then is used; if nothing could be looked up by then, that is a TIMEOUT */
  readonly retrievalMs: number
}

/** Of each list; more than anybody asks for, because what is low in both lists may be high in the joined one. */
const CANDIDATES = 50
/** More at once would only keep each other waiting. */
const AT_ONCE = 4
/** Of the time for all, so that what is there without the rest is not too late. */
export const shareOf = (retrievalMs: number): number => Math.ceil(retrievalMs * 0.9)

/** Searches by words and by meaning at once; each works without the other. Tenants take turns. */
export function createFind(store: Pick<KnowledgeStore, 'search' | 'hasVectors'>, options: FindOptions): Find {
  const inTurn = takingTurns(AT_ONCE)
  const search = (query: LimitedQuery) => inTurn(query.tenant, query.signal, () => store.search(query))

  async function byMeaning(query: LimitedQuery): Promise<readonly Passage[]> {
    if (!store.hasVectors) return []
    const vector = await options.vectorOf(query.words, query.tenant)
    return vector ? (await search({ ...query, words: '', vector })).byMeaning : []
  }

  return async ({ tenant, workspaceIds, text, limit, signal }) => {
    const late = AbortSignal.timeout(shareOf(options.retrievalMs))
    const over = signal ? AbortSignal.any([signal, late]) : late
    const question = text.slice(0, QUESTION_CHARS)
    const most = Math.max(limit, CANDIDATES)
    const query = { tenant, workspaceIds, words: question, limit: most, signal: over, mostMs: options.retrievalMs }
    const byWords = search(query).then((found) => found.byWords)
    const [words, meaning] = await Promise.all([
      abortable(byWords, over).catch((error: unknown) => {
        if (over.aborted) return undefined
        throw error
      }),
      abortable(byMeaning(query), over).catch(() => []),
    ])
    signal?.throwIfAborted()
    if (!words && meaning.length === 0)
      throw new Problem('TIMEOUT', 'The search took too long (limit RETRIEVAL_MS); try again.')
    return fuse({ byWords: words ?? [], byMeaning: meaning.map(passageOf) }, chunkKey, limit)
  }
}

const passageOf = ({ documentId, version, chunk, title, place, text }: Passage): Passage => {
  return { documentId, version, chunk, title, place, text }
}
