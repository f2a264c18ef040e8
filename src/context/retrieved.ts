import type { Retrieved } from '../contract/sent-prompt.ts'
import type { Candidates } from '../contract/retrieval.ts'
import { sha256 } from '../lib/hash.ts'
import { labelOf, retrievedIn, type Exchange, type History } from '../session/index.ts'
import { tokensOf } from './cut.ts'
import { textKey, type RetrievedTexts } from './present-retrieved.ts'

/** How many tokens each kind may have in one round. */
export interface Shares {
  readonly passages: number
  readonly memories: number
  readonly context: number
}

/** A candidate that has no label yet. */
export type Offered = Retrieved & { readonly text: string }

/** The candidates as events name them; labels are given when they are taken. */
export function offeredOf({ passages, memories, context }: Candidates): readonly Offered[] {
  return [
    ...passages.map(({ documentId, version, chunk, text }): Offered => {
      return { kind: 'passage', label: '', documentId, version, chunk, chars: text.length, text }
    }),
    ...memories.map(({ memoryId, text }): Offered => ({ kind: 'memory', memoryId, chars: text.length, text })),
    ...context.map(({ kind, name, text }): Offered => {
      const part = { hash: sha256(text), chars: text.length, text }
      return kind === 'file' ? { kind, path: name, ...part } : { kind, name, ...part }
    }),
  ]
}

export const textsOf = (offered: readonly Offered[]): RetrievedTexts =>
  new Map(offered.map((one) => [textKey(one), one.text]))

/**
 * What the model is told with the last message besides it, if that is not what the log says: as much as the shares
 * allow of what is there and of what is offered, without what the conversation already has.
 */
export function retrievedTo(
  history: Pick<History, 'results'>,
  shown: readonly Exchange[],
  offered: readonly Offered[],
  shares: Shares | undefined,
  labels: number,
): readonly Retrieved[] | undefined {
  const before = shown.at(-1)?.retrieved ?? []
  if (!shares || before.length + offered.length === 0) return undefined
  const told = lastTold(retrievedIn(history, shown))
  const left = { ...shares }
  const fits = (one: Retrieved): boolean => {
    const share = one.kind === 'passage' ? 'passages' : one.kind === 'memory' ? 'memories' : 'context'
    const tokens = tokensOf(one.chars)
    if (tokens > left[share]) return false
    left[share] -= tokens
    return true
  }
  const kept = before.filter(fits)
  const fresh = offered.filter((one) => told.get(nameOf(one)) !== textKey(one) && fits(one))
  if (kept.length === before.length && fresh.length === 0) return undefined
  return [...kept, ...fresh.map((one) => withLabel(one, () => labelOf(++labels)))]
}

/** What the conversation has of each; a file or a fetched text may have changed, and may have changed back. */
const lastTold = (retrieved: readonly Retrieved[]): ReadonlyMap<string, string> =>
  new Map(retrieved.map((one) => [nameOf(one), textKey(one)]))

function nameOf(one: Retrieved): string {
  if (one.kind === 'file') return `file ${one.path}`
  return one.kind === 'context' ? `context ${one.name}` : textKey(one)
}

function withLabel({ text: _, ...one }: Offered, next: () => string): Retrieved {
  return one.kind === 'passage' ? { ...one, label: next() } : one
}

/** Of the same kind for everybody; less where a model's window is small. */
const SHARES: Shares = { passages: 8000, memories: 2000, context: 8000 }
const SMALL_WINDOW = 64_000

/** `room`: the tokens that the layers before, the tools and the response leave */
export function sharesOf(window: number, room: number): Shares {
  if (window >= SMALL_WINDOW) return SHARES
  const share = (most: number, part: number): number => Math.max(0, Math.min(most, Math.floor(room * part)))
  return {
    passages: share(SHARES.passages, 0.2),
    memories: share(SHARES.memories, 0.05),
    context: share(SHARES.context, 0.2),
  }
}
