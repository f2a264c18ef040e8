import type { Chunk, ChunkRef, Passage } from '../../contract/knowledge.ts'
import { chunkKey, type KnowledgeStore } from '../knowledge.ts'
import { pageOf, parseCursor } from '../page.ts'
import type { Base } from './base.ts'

type Chunks = Pick<KnowledgeStore, 'chunks' | 'passages' | 'hasPublished'>

export function chunkStore({ db, reading }: Base): Chunks {
  const ofVersion = db.prepare(
    `SELECT c.chunk, c.place, c.text FROM documents d
     JOIN document_versions v ON v.document = d.num AND v.version = ? JOIN chunks c ON c.body = v.body
     WHERE d.id = ? AND c.chunk >= ? ORDER BY c.chunk LIMIT ?`,
  )
  const one = db.prepare(
    `SELECT d.title, c.place, c.text FROM documents d
     JOIN document_versions v ON v.document = d.num AND v.version = ? JOIN chunks c ON c.body = v.body
     WHERE d.id = ? AND d.tenant = ? AND c.chunk = ?`,
  )
  const published = db.prepare('SELECT 1 FROM documents WHERE tenant = ? AND published_version IS NOT NULL LIMIT 1')

  function passage(tenant: string, { documentId, version, chunk }: ChunkRef): Passage | undefined {
    const row = one.get(version, documentId, tenant, chunk) as Pick<Passage, 'title' | 'place' | 'text'> | undefined
    return row && { documentId, version, chunk, ...row }
  }

  return {
    chunks: (documentId, version, { limit = 50, cursor } = {}) =>
      reading(() => {
        const rows = ofVersion.all(version, documentId, parseCursor(cursor, 0), limit + 1)
        const view = (row: Chunk & { chunk: number }) => ({ ...row })
        return pageOf(rows as unknown as (Chunk & { chunk: number })[], limit, view, ({ chunk }) => chunk + 1)
      }),
    passages: (tenant, refs) =>
      reading(() => {
        const found = refs.flatMap((ref) => passage(tenant, ref) ?? [])
        return new Map(found.map((each) => [chunkKey(each), each]))
      }),
    hasPublished: (tenant) => reading(() => published.get(tenant) !== undefined),
  }
}
