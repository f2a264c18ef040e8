import type { Chunk, ChunkRef } from '../../contract/knowledge.ts'
import { loopStep } from '../../lib/loop-step.ts'
import type { KnowledgeStore } from '../knowledge.ts'
import { bytesOfVector } from '../vector-bytes.ts'
import type { Base } from './base.ts'
import type { Part } from './knowledge-index.ts'
import type { KnowledgeIndexing } from './knowledge-indexing.ts'
import { SLICE_ROWS, slicesIn } from './knowledge-slices.ts'

type Vectors = Pick<KnowledgeStore, 'unembedded' | 'putVectors' | 'embedded' | 'keepVectorsOf'>

/** What is read at once: a few milliseconds. */
const SLICE = { read: 2000, count: 20_000 } as const

export function vectorStore({ db, group, reading }: Base, index: KnowledgeIndexing): Vectors {
  // Of a slice of all chunks: which have no vector, and which of those a version names.
  const without = db.prepare(
    `SELECT c.num, d.id AS "documentId", v.version, c.chunk, c.place, c.text
     FROM (SELECT * FROM chunks WHERE num > ? ORDER BY num LIMIT ?) c
     LEFT JOIN document_versions v ON v.body = c.body LEFT JOIN documents d ON d.num = v.document
     WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors x WHERE x.model = ? AND x.chunk = c.num) ORDER BY c.num LIMIT ?`,
  )
  const endOfSlice = db.prepare('SELECT num FROM chunks WHERE num > ? ORDER BY num LIMIT 1 OFFSET ?')
  const chunkOf = db.prepare(
    `SELECT c.num, c.body, c.place, c.text, d.tenant, d.workspace_id AS workspace FROM documents d JOIN document_versions v ON v.document = d.num AND v.version = ?
     JOIN chunks c ON c.body = v.body WHERE d.id = ? AND c.chunk = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO chunk_vectors (model, chunk, vector) VALUES (?, ?, ?)
     ON CONFLICT (model, chunk) DO UPDATE SET vector = excluded.vector`,
  )
  const all = db.prepare('SELECT coalesce(sum(chunks), 0) AS n FROM document_versions')
  const countSome = db.prepare(
    `SELECT count(*) AS n, max(chunk) AS last FROM
     (SELECT chunk FROM chunk_vectors WHERE model = ? AND chunk > ? ORDER BY chunk LIMIT ?)`,
  )
  const eraseSome = ['<', '>'].map((side) =>
    db.prepare(
      `DELETE FROM chunk_vectors WHERE num IN (SELECT num FROM chunk_vectors WHERE model ${side} ? LIMIT ${SLICE_ROWS})`,
    ),
  )
  const inSlice = slicesIn({ db, group })
  /** By model: every chunk up to this number has a vector. */
  const done = new Map<string, number>()

  type Target = Chunk & Part & { num: number; body: number }
  type Row = Omit<ChunkRef, 'documentId'> & Chunk & { num: number; documentId: string | null }

  return {
    async unembedded(model, limit) {
      const found: (ChunkRef & Chunk)[] = []
      let place = done.get(model) ?? 0
      for (let isUnbroken = true; found.length < limit; await loopStep()) {
        const room = limit - found.length
        const [rows, end] = await reading(() => [
          without.all(place, SLICE.read, model, room) as unknown as Row[],
          (endOfSlice.get(place, SLICE.read - 1) as { num: number } | undefined)?.num,
        ])
        for (const { num: _, documentId, ...row } of rows) if (documentId !== null) found.push({ documentId, ...row })
        const [first] = rows
        if (isUnbroken && (first || end !== undefined)) done.set(model, first ? first.num - 1 : (end as number))
        isUnbroken &&= !first
        // A full slice may go on after its last row.
        const next = rows.length === room ? rows.at(-1)?.num : end
        if (next === undefined) break
        place = next
      }
      return found
    },
    async putVectors(model, vectors) {
      for (let from = 0; from < vectors.length; from += SLICE_ROWS) {
        const stored = await inSlice(() =>
          vectors.slice(from, from + SLICE_ROWS).flatMap(({ documentId, version, chunk, place, text, vector }) => {
            const row = chunkOf.get(version, documentId, chunk) as Target | undefined
            if (row?.text !== text || row.place !== place) return []
            insert.run(model, row.num, bytesOfVector(vector))
            return [{ ...row, vector: bytesOfVector(vector) }]
          }),
        )
        for (const [body, ofBody] of Map.groupBy(stored, (each) => each.body)) {
          const [{ tenant, workspace }] = ofBody as [(typeof ofBody)[number]]
          await index.addVectors({ tenant, workspace }, body, model, ofBody)
        }
      }
    },
    async embedded(model) {
      let count = 0
      for (let place = 0; ;) {
        const { n, last } = await reading(
          () => countSome.get(model, place, SLICE.count) as { n: number; last: number | null },
        )
        count += n
        if (n < SLICE.count || last === null) break
        place = last
        await loopStep()
      }
      return { done: count, all: (all.get() as { n: number }).n }
    },
    async keepVectorsOf(model) {
      for (const other of done.keys()) if (other !== model) done.delete(other)
      for (const erase of eraseSome) while ((await inSlice(() => erase.run(model).changes)) > 0);
      await index.keepVectorsOf(model)
    },
  }
}
