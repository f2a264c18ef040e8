import type { Chunk, Passage } from '../../contract/knowledge.ts'
import { chunkKey, type KnowledgeStore } from '../knowledge.ts'
import { pageOf, parseCursor } from '../page.ts'
import type { Base } from './base.ts'

type Chunks = Pick<KnowledgeStore, 'chunks' | 'passages' | 'hasPublished'>

const OF_VERSION = `SELECT c.chunk, c.place, c.text FROM documents d JOIN chunks c ON c.document = d.num
  WHERE d.id = $1 AND c.version = $2 AND c.chunk >= $3 ORDER BY c.chunk LIMIT $4`

const PASSAGES = `SELECT d.id AS "documentId", c.version, c.chunk, d.title, c.place, c.text
  FROM unnest($2::text[], $3::integer[], $4::integer[]) AS r (id, version, chunk)
  JOIN documents d ON d.id = r.id AND d.tenant = $1
  JOIN chunks c ON c.document = d.num AND c.version = r.version AND c.chunk = r.chunk`

const HAS_PUBLISHED = `SELECT EXISTS (SELECT FROM documents WHERE tenant = $1 AND published_version IS NOT NULL) AS "has"`

export function chunkStore({ query }: Base): Chunks {
  return {
    async chunks(documentId, version, { limit = 50, cursor } = {}) {
      const values = [documentId, version, parseCursor(cursor, 0), limit + 1]
      const rows = await query<Chunk & { readonly chunk: number }>(OF_VERSION, values)
      return pageOf(
        rows,
        limit,
        (row) => row,
        ({ chunk }) => chunk + 1,
      )
    },
    async passages(tenant, refs) {
      const columns = [refs.map((ref) => ref.documentId), refs.map((ref) => ref.version), refs.map((ref) => ref.chunk)]
      const found = await query<Passage>(PASSAGES, [tenant, ...columns])
      return new Map(found.map((one) => [chunkKey(one), one]))
    },
    async hasPublished(tenant) {
      const [row] = await query<{ has: boolean }>(HAS_PUBLISHED, [tenant])
      return row?.has === true
    },
  }
}
