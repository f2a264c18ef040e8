import type { Passage } from '../../contract/knowledge.ts'
import { abortable } from '../../lib/abortable.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { KnowledgeStore, SearchQuery, SearchResult } from '../knowledge.ts'
import { bytesOfVector } from '../vector-bytes.ts'
import type { Base } from './base.ts'
import type { IndexHits } from './knowledge-index.ts'
import type { KnowledgeIndexing } from './knowledge-indexing.ts'
import { termsOf } from './knowledge-terms.ts'

/** How often a search that something changed under is done again. */
const AGAIN = 3

export function searchStore({ db, reading }: Base, index: KnowledgeIndexing): Pick<KnowledgeStore, 'search'> {
  const published = db.prepare('SELECT 1 FROM documents WHERE tenant = ? AND published_version IS NOT NULL LIMIT 1')
  // The index may be behind, so the main file has the last word.
  const passage = db.prepare(
    `SELECT d.id AS "documentId", v.version, c.chunk, d.title, c.place, c.text FROM chunks c
     JOIN document_versions v ON v.body = c.body JOIN documents d ON d.num = v.document
     WHERE c.num = ? AND d.published_version = v.version AND d.tenant = ?
     AND d.workspace_id IN (SELECT value FROM json_each(?))`,
  )
  const inTurn = oneAtATime<SearchResult>()

  async function search({ tenant, workspaceIds, words, vector, limit, signal }: SearchQuery): Promise<SearchResult> {
    signal?.throwIfAborted()
    const workspaces = [...new Set(workspaceIds)]
    const terms = termsOf(words)
    if ((terms === undefined && !vector) || (await reading(() => published.get(tenant))) === undefined)
      return { byWords: [], byMeaning: [] }
    const query = {
      tenant,
      workspaces,
      terms,
      vector: vector && { model: vector.model, bytes: bytesOfVector(vector.values).slice() },
      limit,
    }
    for (let again = AGAIN; ; again -= 1) {
      const found = await index.search(query)
      const result = await reading(() => passagesOf(found, tenant, JSON.stringify(workspaces)))
      const isWhole =
        result.byWords.length === found.byWords.length && result.byMeaning.length === found.byMeaning.length
      // What is missing was replaced or deleted meanwhile, so the index has something else by now.
      if (isWhole || again === 0) return result
      signal?.throwIfAborted()
    }
  }

  function passagesOf(found: IndexHits, tenant: string, workspaces: string): SearchResult {
    const passageOf = (num: number): Passage[] => {
      const row = passage.get(num, tenant, workspaces) as unknown as Passage | undefined
      return row ? [{ ...row }] : []
    }
    return {
      byWords: found.byWords.flatMap(passageOf),
      byMeaning: found.byMeaning.flatMap(({ num, similarity }) =>
        passageOf(num).map((each) => ({ ...each, similarity })),
      ),
    }
  }

  return {
    // Those that wait are not with the thread yet, so that one that was given up costs nothing.
    search: (query) =>
      abortable(
        inTurn('', () => search(query)),
        query.signal,
      ),
  }
}
