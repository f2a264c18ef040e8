import { beginsVersion, type Document, type DocumentStatus } from '../contract/knowledge.ts'
import { cleanText } from './clean-text.ts'
import type { DocumentChanges, NewDocument } from './knowledge.ts'
import { withoutNulls } from './page.ts'

export interface DocumentRow {
  num: number
  id: string
  tenant: string
  workspaceId: string
  title: string
  contentType: string
  source: string | null
  version: number
  status: DocumentStatus
  publishedVersion: number | null
  author: string
  editors: string
  reviewer: string | null
  selfApproved: number
  reason: string | null
  hash: string
  bytes: number
  chunks: number
  createdAt: number
  updatedAt: number
  publishedAt: number | null
  revision: number
}

export const DOCUMENT_COLUMNS = `num, id, tenant, workspace_id AS "workspaceId", title, content_type AS "contentType",
  source, version, status, published_version AS "publishedVersion", author, editors, reviewer,
  self_approved AS "selfApproved", reason, hash, bytes, chunks, created_at AS "createdAt", updated_at AS "updatedAt",
  published_at AS "publishedAt", revision`

export function documentOfRow({ num: _, editors, selfApproved, ...row }: DocumentRow): Document {
  return {
    ...withoutNulls(row),
    editors: JSON.parse(editors) as string[],
    ...(selfApproved === 1 && { selfApproved: true as const }),
  }
}

/** In the order of `newDocumentValues`; a draft without editors. */
export const NEW_DOCUMENT_COLUMNS = `id, tenant, workspace_id, title, content_type, source, author, hash, bytes, chunks,
  created_at, updated_at, version, status, editors, revision`

export function newDocumentValues(document: NewDocument, chunks: number): (string | number | null)[] {
  const { id, tenant, workspaceId, title, contentType, source = null, author, hash, bytes, createdAt } = document
  return [
    id,
    tenant,
    workspaceId,
    cleanText(title),
    contentType,
    source,
    author,
    hash,
    bytes,
    chunks,
    createdAt,
    createdAt,
    1,
    'draft',
    '[]',
    1,
  ]
}

/** The columns that change, with their values. */
export function changedDocumentColumns(
  row: Pick<DocumentRow, 'version' | 'status'>,
  changes: DocumentChanges,
): [column: string, value: string | number | null][] {
  const { title, status, editors, reviewer, selfApproved, reason, content } = changes
  const next = content && beginsVersion(row)
  const begun = next && {
    version: row.version + 1,
    author: content.author,
    status: 'draft',
    editors: '[]',
    reviewer: null,
    self_approved: 0,
    reason: null,
  }
  const given = {
    title: title === undefined ? undefined : cleanText(title),
    content_type: content?.contentType,
    hash: content?.hash,
    bytes: content?.bytes,
    chunks: content?.chunks.length,
    status,
    editors: editors && JSON.stringify(editors),
    reviewer,
    self_approved: selfApproved === undefined ? undefined : Number(selfApproved),
    reason,
    published_version: status === 'archived' ? null : undefined,
  }
  const wished = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.entries({ ...begun, ...Object.fromEntries(wished) })
}

/** Only a version that was approved once may be published. */
export const mayBePublished = ({ status }: Pick<DocumentRow, 'status'>): boolean =>
  status !== 'draft' && status !== 'pending_review'
