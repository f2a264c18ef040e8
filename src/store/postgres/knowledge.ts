import type { KnowledgeStore } from '../knowledge.ts'
import type { Base } from './base.ts'
import { chunkStore } from './knowledge-chunks.ts'
import { documentStore } from './knowledge-documents.ts'
import { searchStore } from './knowledge-search.ts'
import { vectorStore } from './knowledge-vectors.ts'

export function knowledgeStore(base: Base): KnowledgeStore {
  return {
    ...documentStore(base),
    ...chunkStore(base),
    ...searchStore(base),
    ...vectorStore(base),
    hasVectors: base.hasVectors,
  }
}
