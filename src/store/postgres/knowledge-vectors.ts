import type { Chunk, ChunkRef } from '../../contract/knowledge.ts'
import type { KnowledgeStore } from '../knowledge.ts'
import type { Base } from './base.ts'
import { sentVector } from './vectors.ts'

type Vectors = Pick<KnowledgeStore, 'unembedded' | 'putVectors' | 'embedded' | 'keepVectorsOf'>

const AT_A_TIME = { put: 100, erase: 2000 } as const

const WITHOUT = `SELECT c.num, d.id AS "documentId", c.version, c.chunk, c.place, c.text
  FROM chunks c JOIN documents d ON d.num = c.document
  WHERE c.num > $2 AND NOT EXISTS (SELECT FROM chunk_vectors v WHERE v.chunk = c.num AND v.model = $1)
  ORDER BY c.num LIMIT $3`

// Chunks are locked, so that none is erased meanwhile.
const PUT = `INSERT INTO chunk_vectors (chunk, model, vector)
  SELECT c.num, $1, r.vector::real[]
  FROM unnest($2::text[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[])
    AS r (id, version, chunk, place, text, vector)
  JOIN documents d ON d.id = r.id
  JOIN chunks c ON c.document = d.num AND c.version = r.version AND c.chunk = r.chunk
    AND c.place = r.place AND c.text = r.text
  ORDER BY c.num FOR KEY SHARE OF c
  ON CONFLICT (chunk, model) DO UPDATE SET vector = excluded.vector`

const COUNT = `SELECT (SELECT count(*) FROM chunk_vectors WHERE model = $1) AS done, (SELECT count(*) FROM chunks) AS "all"`

const ERASE_SOME = `DELETE FROM chunk_vectors WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM chunk_vectors WHERE model <> $1 LIMIT $2)) RETURNING chunk`

export function vectorStore({ query }: Base): Vectors {
  /** By model: every chunk before this number had a vector, when it was last looked. */
  const before = new Map<string, number>()

  async function without(model: string, after: number, limit: number): Promise<(ChunkRef & Chunk)[]> {
    const rows = await query<ChunkRef & Chunk & { readonly num: number }>(WITHOUT, [model, after, limit])
    const [first] = rows
    if (first) before.set(model, first.num - 1)
    else before.delete(model)
    return rows.map(({ num: _, ...chunk }) => chunk)
  }

  return {
    async unembedded(model, limit) {
      const after = before.get(model) ?? 0
      const found = await without(model, after, limit)
      // Others may have erased vectors, or have stored chunks with lower numbers later.
      return found.length > 0 || after === 0 ? found : without(model, 0, limit)
    },
    async putVectors(model, vectors) {
      for (let from = 0; from < vectors.length; from += AT_A_TIME.put) {
        const some = vectors.slice(from, from + AT_A_TIME.put)
        await query(PUT, [
          model,
          some.map(({ documentId }) => documentId),
          some.map(({ version }) => version),
          some.map(({ chunk }) => chunk),
          some.map(({ place }) => place),
          some.map(({ text }) => text),
          some.map(({ vector }) => sentVector(vector)),
        ])
      }
    },
    async embedded(model) {
      const [row] = await query<{ done: number; all: number }>(COUNT, [model])
      return row ?? { done: 0, all: 0 }
    },
    async keepVectorsOf(model) {
      for (;;) if ((await query(ERASE_SOME, [model, AT_A_TIME.erase])).length < AT_A_TIME.erase) return
    },
  }
}
