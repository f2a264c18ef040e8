export const DOCUMENT_STATUSES = ['draft', 'pending_review', 'approved', 'published', 'archived'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

/**
 * A document with its newest version. Changing a published document begins a new version as a draft; the published
 * one is found until the new one is published.
 */
export interface Document {
  readonly id: string
  readonly tenant: string
  /** whose conversations find it; `system`: those of the whole tenant */
  readonly workspaceId: string
  readonly title: string
  readonly contentType: string
  /** where it was imported from, such as a path in a folder; one document for each in a workspace */
  readonly source?: string
  /** counts its versions, from 1 */
  readonly version: number
  /** of this version */
  readonly status: DocumentStatus
  /** the version that is found, if there is one */
  readonly publishedVersion?: number
  /** who made this version */
  readonly author: string
  /** everybody else who changed its words; they may not approve it either */
  readonly editors: readonly string[]
  readonly reviewer?: string
  /** its author approved it, because the tenant has nobody else */
  readonly selfApproved?: true
  /** why it was last rejected, published or archived */
  readonly reason?: string
  /** SHA-256 of the uploaded bytes of this version */
  readonly hash: string
  readonly bytes: number
  /** the number of its chunks */
  readonly chunks: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly publishedAt?: number
  /** counts its changes, so that nobody changes what they have not seen */
  readonly revision: number
}

/** Whether new content begins the next version instead of overwriting this one. */
export const beginsVersion = ({ status }: Pick<Document, 'status'>): boolean =>
  status === 'published' || status === 'archived'

/** A piece of a document that is found as a whole. */
export interface Chunk {
  /** where in the document it is: a path of headings, a page, or which part of the text */
  readonly place: string
  readonly text: string
}

/** Which chunk of which version; the words stay until the document is deleted. */
export interface ChunkRef {
  readonly documentId: string
  readonly version: number
  /** its number in that version, from 0 */
  readonly chunk: number
}

export interface Passage extends ChunkRef, Chunk {
  readonly title: string
}

/** A passage that a search found, best first; scores of different searches are not comparable. */
export interface Found extends Passage {
  readonly score: number
}
