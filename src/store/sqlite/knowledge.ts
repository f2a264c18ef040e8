import type { KnowledgeStore } from '../knowledge.ts'
import type { Base } from './base.ts'
import { bodiesIn } from './knowledge-bodies.ts'
import { chunkStore } from './knowledge-chunks.ts'
import { documentStore } from './knowledge-documents.ts'
import { knowledgeIndexing } from './knowledge-indexing.ts'
import { searchStore } from './knowledge-search.ts'
import { vectorStore } from './knowledge-vectors.ts'

/** What upkeep of the whole store means for documents. */
export interface KnowledgeUpkeep {
  /** Erases what a process that died or a full disk left, and what was taken out of the index from every byte of it. */
  compact(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface Knowledge {
  readonly store: Omit<KnowledgeStore, 'hasVectors'>
  readonly upkeep: KnowledgeUpkeep
  hasVectors(): boolean
}

export function openKnowledge(base: Base): Knowledge {
  const bodies = bodiesIn(base)
  const index = knowledgeIndexing(base)
  // If it fails, the next start or `compact` tries again.
  const erasing = bodies.eraseUnnamed().catch(() => {})

  return {
    store: {
      ...documentStore(base, bodies, index),
      ...chunkStore(base),
      ...searchStore(base, index),
      ...vectorStore(base, index),
    },
    hasVectors: index.hasVectors,
    upkeep: {
      async compact(signal) {
        await erasing
        await bodies.eraseUnnamed()
        await index.compact(signal)
      },
      close: () => index.close(),
    },
  }
}
