import { beginsVersion } from '../../contract/knowledge.ts'
import { Problem } from '../../contract/problem.ts'
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
import type { Base } from './base.ts'
import type { Bodies } from './knowledge-bodies.ts'
import type { KnowledgeIndexing } from './knowledge-indexing.ts'

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

export function documentStore(
  { db, group, claims, record, withExtras, reading, emptyLog }: Base,
  bodies: Bodies,
  index: KnowledgeIndexing,
): Documents {
  const insert = db.prepare(
    `INSERT INTO documents (${NEW_DOCUMENT_COLUMNS}) VALUES (${Array(16).fill('?').join(', ')})
     RETURNING ${DOCUMENT_COLUMNS}`,
  )
  const byId = db.prepare(`SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE id = ?`)
  const bySource = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = ? AND workspace_id = ? AND source = ?`,
  )
  const byHash = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = ? AND workspace_id = ? AND hash = ? LIMIT 2`,
  )
  const newest = db.prepare(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE tenant = ? AND num < ? AND (? IS NULL OR workspace_id = ?)
     AND (? IS NULL OR status = ?) ORDER BY num DESC LIMIT ?`,
  )
  const bodiesOf = db.prepare('SELECT body FROM document_versions WHERE document = ?')
  const bodyOf = db.prepare('SELECT body FROM document_versions WHERE document = ? AND version = ?')
  const name = db.prepare(
    `INSERT INTO document_versions (document, version, body, chunks) VALUES (?, ?, ?, ?)
     ON CONFLICT (document, version) DO UPDATE SET body = excluded.body, chunks = excluded.chunks`,
  )
  const publish = db.prepare(
    `UPDATE documents SET status = 'published', published_version = version, published_at = ?, updated_at = ?,
     reason = ?, revision = revision + 1 WHERE num = ? RETURNING ${DOCUMENT_COLUMNS}`,
  )
  const removeVersions = db.prepare('DELETE FROM document_versions WHERE document = ?')
  const remove = db.prepare('DELETE FROM documents WHERE num = ?')

  const rowOf = (id: string): DocumentRow | undefined => byId.get(id) as unknown as DocumentRow | undefined
  const numOfBody = (row: unknown): number | undefined => (row as { body: number } | undefined)?.body

  /** Runs in a transaction; returns the row as it is then, and the body it no longer names. */
  function change(id: string, revision: number, changes: Changes, at: number, body: number | undefined) {
    const row = rowOf(id)
    if (row?.revision !== revision) return undefined
    const { content } = changes
    const set = changedDocumentColumns(row, changes)
    const update = db.prepare(
      `UPDATE documents SET ${set.map(([column]) => `${column} = ?, `).join('')}
       revision = revision + 1, updated_at = ? WHERE num = ? RETURNING ${DOCUMENT_COLUMNS}`,
    )
    const changed = update.get(...set.map(([, value]) => value), at, row.num) as unknown as DocumentRow
    const isHidden = row.publishedVersion !== null && changed.publishedVersion === null
    const hidden = isHidden ? numOfBody(bodyOf.get(row.num, row.publishedVersion)) : undefined
    if (!content || body === undefined) return { changed, hidden }
    const left = beginsVersion(row) ? undefined : numOfBody(bodyOf.get(row.num, row.version))
    name.run(row.num, changed.version, body, content.chunks.length)
    return { changed, left, hidden }
  }

  const partAndBodies = ({ num, tenant, workspaceId, version, publishedVersion }: DocumentRow) => ({
    part: { tenant, workspace: workspaceId },
    body: numOfBody(bodyOf.get(num, version)) as number,
    before: publishedVersion === null ? undefined : numOfBody(bodyOf.get(num, publishedVersion)),
  })

  /** Waits until nothing of these chunks is left in any file; if that fails, the change before it stays all the same. */
  const erase = (unnamed: readonly number[]): Promise<void> =>
    eraseNow(unnamed).catch((error: unknown) => {
      throw notErased(error)
    })

  async function eraseNow(unnamed: readonly number[]): Promise<void> {
    const removing = index.removing(unnamed)
    // Both are done, whichever fails.
    removing.catch(() => {})
    for (const body of unnamed) await bodies.erase(body)
    await emptyLog()
    await removing
  }

  return {
    async putDocument(document, chunks, extras) {
      const taken = await reading(() => extras?.claim && claims.find(extras.claim.key))
      if (taken) return { kind: 'repeated', claim: taken }
      return bodies.holding(chunks, (body) =>
        withExtras(extras, document.createdAt, () => {
          const row = insert.get(...newDocumentValues(document, chunks.length)) as unknown as DocumentRow
          name.run(row.num, row.version, body, chunks.length)
          return documentOfRow(row)
        }),
      )
    },
    document: (id) => reading(() => viewOf(byId.get(id), documentOfRow)),
    documents: ({ tenant, workspaceId = null, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
        const rows = newest.all(tenant, place, workspaceId, workspaceId, status, status, limit + 1)
        return pageOf(rows as unknown as DocumentRow[], limit, documentOfRow, ({ num }) => num)
      }),
    documentsWith: (tenant, workspaceId, hash) =>
      reading(() => (byHash.all(tenant, workspaceId, hash) as unknown as DocumentRow[]).map(documentOfRow)),
    documentFrom: (tenant, workspaceId, source) =>
      reading(() => viewOf(bySource.get(tenant, workspaceId, source), documentOfRow)),
    async changeDocument(id, revision, changes, at, extras) {
      const write = (body?: number): Promise<Changed | undefined> =>
        withExtras(extras, at, () => change(id, revision, changes, at, body)) as Promise<Changed | undefined>
      if ((await reading(() => rowOf(id)))?.revision !== revision) return undefined
      const done = await (changes.content ? bodies.holding(changes.content.chunks, write) : write())
      if (done?.left !== undefined) await erase([done.left])
      if (done?.hidden !== undefined) await index.removing([done.hidden]).catch(() => {})
      return done && documentOfRow(done.changed)
    },
    publishDocument(id, revision, { at, reason = null }, extras) {
      const publishable = (): DocumentRow | undefined => {
        const row = rowOf(id)
        return row?.revision === revision && mayBePublished(row) ? row : undefined
      }
      return index.publishing(
        () => viewOf(publishable(), partAndBodies),
        () =>
          withExtras(extras, at, () => {
            const row = publishable()
            return row && documentOfRow(publish.get(at, at, reason, row.num) as unknown as DocumentRow)
          }) as ReturnType<KnowledgeStore['publishDocument']>,
      )
    },
    async deleteDocument(id, records = []) {
      const unnamed = await group.run((onRollback) => {
        const row = rowOf(id)
        if (!row) return undefined
        const named = (bodiesOf.all(row.num) as { body: number }[]).map(({ body }) => body)
        removeVersions.run(row.num)
        remove.run(row.num)
        record(records, onRollback)
        return named
      })
      if (unnamed) await erase(unnamed)
      return unnamed !== undefined
    },
  }
}

const notErased = (cause: unknown): unknown =>
  cause instanceof Problem && cause.code === 'STORE_UNAVAILABLE'
    ? new Problem(
        'STORE_UNAVAILABLE',
        'It was done, and the words that are gone are not found any more, but they could not be erased from the disk. Make room, then compact the database (segno db compact).',
        { cause },
      )
    : cause

type Changes = Parameters<KnowledgeStore['changeDocument']>[2]
interface Changed {
  readonly changed: DocumentRow
  /** the body that no version names any more */
  readonly left?: number | undefined
  /** the body that is not found any more */
  readonly hidden: number | undefined
}
