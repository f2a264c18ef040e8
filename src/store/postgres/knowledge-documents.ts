import { beginsVersion, type Chunk, type Document } from '../../contract/knowledge.ts'
import { cleanText } from '../clean-text.ts'
import {
  changedDocumentColumns,
  DOCUMENT_COLUMNS,
  documentOfRow,
  mayBePublished,
  NEW_DOCUMENT_COLUMNS,
  newDocumentValues,
  type DocumentRow,
} from '../document-row.ts'
import type { KnowledgeStore } from '../knowledge.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import { record, type Base } from './base.ts'
import type { Query } from './database.ts'

type Documents = Pick<
  KnowledgeStore,
  | 'putDocument'
  | 'document'
  | 'documents'
  | 'documentsWith'
  | 'documentFrom'
  | 'changeDocument'
  | 'publishDocument'
  | 'deleteDocument'
>

const INSERT = `INSERT INTO documents (${NEW_DOCUMENT_COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING ${DOCUMENT_COLUMNS}`

const NEWEST = `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = $1 AND num < $2
  AND ($3::text IS NULL OR workspace_id = $3) AND ($4::text IS NULL OR status = $4) ORDER BY num DESC LIMIT $5`

const PUBLISH = `UPDATE documents SET status = 'published', published_version = version, published_at = $2,
    updated_at = greatest(updated_at, $2), reason = $3, revision = revision + 1
  WHERE num = $1 RETURNING ${DOCUMENT_COLUMNS}`

const INSERT_CHUNKS = `INSERT INTO chunks (document, version, chunk, place, text)
  SELECT $1, $2, $3 + at - 1, place, text FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS n (place, text, at)`

/** Sent in one statement; all of a version are one transaction. */
const CHUNKS_AT_A_TIME = 200
/** Erased by one statement: all versions of a long document at once may take longer than a statement is given. */
const ERASED_AT_A_TIME = 5000

// Vectors go with them.
const ERASE_SOME = `DELETE FROM chunks WHERE num IN (
  SELECT num FROM chunks WHERE document = $1 ORDER BY num LIMIT ${ERASED_AT_A_TIME}) RETURNING num`

export function documentStore({ query, transaction, withExtras }: Base): Documents {
  return {
    putDocument: (document, chunks, extras) =>
      withExtras(extras, document.createdAt, async (within) => {
        const [row] = await within<DocumentRow>(INSERT, newDocumentValues(document, chunks.length))
        if (!row) throw new Error('a document was not stored')
        await putChunks(within, row, chunks)
        return documentOfRow(row)
      }),
    async document(id) {
      return viewOf(await rowOf(query, id), documentOfRow)
    },
    async documents({ tenant, workspaceId = null, status = null, limit = 50, cursor }) {
      const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
      const rows = await query<DocumentRow>(NEWEST, [tenant, place, workspaceId, status, limit + 1])
      return pageOf(rows, limit, documentOfRow, ({ num }) => num)
    },
    async documentsWith(tenant, workspaceId, hash) {
      const rows = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = $1 AND workspace_id = $2 AND hash = $3 LIMIT 2`,
        [tenant, workspaceId, hash],
      )
      return rows.map(documentOfRow)
    },
    async documentFrom(tenant, workspaceId, source) {
      const [row] = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = $1 AND workspace_id = $2 AND source = $3`,
        [tenant, workspaceId, source],
      )
      return viewOf(row, documentOfRow)
    },
    changeDocument: (id, revision, changes, at, extras) =>
      changing(
        withExtras(extras, at, async (within) => {
          const row = await lockedRow(within, id)
          if (row?.revision !== revision) return undefined
          const columns = changedDocumentColumns(row, changes)
          const [changed] = await within<DocumentRow>(
            `UPDATE documents SET ${columns.map(([column], i) => `${column} = $${i + 3}, `).join('')}
               revision = revision + 1, updated_at = greatest(updated_at, $2)
             WHERE num = $1 RETURNING ${DOCUMENT_COLUMNS}`,
            [row.num, at, ...columns.map(([, value]) => value)],
          )
          if (!changed) throw new Error('a document was not changed')
          const { content } = changes
          if (content && !beginsVersion(row))
            await within('DELETE FROM chunks WHERE document = $1 AND version = $2', [row.num, row.version])
          if (content) await putChunks(within, changed, content.chunks)
          return documentOfRow(changed)
        }),
      ),
    publishDocument: (id, revision, { at, reason = null }, extras) =>
      changing(
        withExtras(extras, at, async (within) => {
          const row = await lockedRow(within, id)
          if (row?.revision !== revision || !mayBePublished(row)) return undefined
          const [published] = await within<DocumentRow>(PUBLISH, [row.num, at, reason])
          return viewOf(published, documentOfRow)
        }),
      ),
    deleteDocument: (id, records = []) =>
      transaction(async (within) => {
        const row = await rowOf(within, id, 'FOR UPDATE')
        if (!row) return false
        while ((await within(ERASE_SOME, [row.num])).length === ERASED_AT_A_TIME);
        await within('DELETE FROM documents WHERE num = $1', [row.num])
        await record(within, records)
        return true
      }),
  }
}

/** Without a claim nothing is repeated. */
const changing = (done: Promise<unknown>): Promise<Document | undefined> => done as Promise<Document | undefined>

async function putChunks(query: Query, { num, version }: DocumentRow, chunks: readonly Chunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += CHUNKS_AT_A_TIME) {
    const some = chunks.slice(from, from + CHUNKS_AT_A_TIME)
    const places = some.map(({ place }) => cleanText(place))
    const texts = some.map(({ text }) => cleanText(text))
    await query(INSERT_CHUNKS, [num, version, from, places, texts])
  }
}

const lockedRow = (query: Query, id: string): Promise<DocumentRow | undefined> => rowOf(query, id, 'FOR NO KEY UPDATE')

async function rowOf(query: Query, id: string, how = ''): Promise<DocumentRow | undefined> {
  return (await query<DocumentRow>(`SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE id = $1 ${how}`, [id]))[0]
}
