import type { AuditRecord } from '../contract/audit.ts'
import type { Chunk, ChunkRef, Document, DocumentStatus, Passage } from '../contract/knowledge.ts'
import type { Extras } from './accounts.ts'
import type { Repeated } from './inbox.ts'
import type { Page, PageQuery } from './lists.ts'

/** Documents in chunks, and finding them by words and by meaning. */
export interface KnowledgeStore {
  /**
   * Stores a draft with its chunks as version 1. Of those without a source, a workspace has one of each content, and of
   * the others one from each source; another one is refused as a CONFLICT, also if it is a change that makes it one.
   */
  putDocument(document: NewDocument, chunks: readonly Chunk[], extras?: Extras): Promise<Document | Repeated>
  document(id: string): Promise<Document | undefined>
  /** Newest first. */
  documents(query: DocumentQuery): Promise<Page<Document>>
  /** Documents of a workspace whose newest version has this content, at most two. */
  documentsWith(tenant: string, workspaceId: string, hash: string): Promise<readonly Document[]>
  /** The document of a workspace that was imported from there. */
  documentFrom(tenant: string, workspaceId: string, source: string): Promise<Document | undefined>
  /**
   * Changes a document if nobody changed it since `revision`; undefined if somebody did or there is none. With new
   * content, a version that is published or archived is followed by the next one, and any other one is overwritten.
   */
  changeDocument(
    id: string,
    revision: number,
    changes: DocumentChanges,
    at: number,
    extras?: Omit<Extras, 'claim'>,
  ): Promise<Document | undefined>
  /**
   * Makes the newest version the one that is found, in one step; undefined if it was changed since `revision`, was
   * never approved (a draft or pending review) or there is none.
   */
  publishDocument(
    id: string,
    revision: number,
    change: { readonly at: number; readonly reason?: string },
    extras?: Omit<Extras, 'claim'>,
  ): Promise<Document | undefined>
  /** Erases a document with all its versions, from every index too; false if there is none. */
  deleteDocument(id: string, audit?: readonly AuditRecord[]): Promise<boolean>
  /** Chunks of one version in their order; the cursor is the number of the next one. */
  chunks(documentId: string, version: number, query?: PageQuery): Promise<Page<Chunk & { readonly chunk: number }>>
  /** The passages of a tenant that still exist, whatever the status of their version; by `chunkKey`. */
  passages(tenant: string, refs: readonly ChunkRef[]): Promise<ReadonlyMap<string, Passage>>

  /**
   * Published chunks of these workspaces of a tenant, best first, at most `limit` by words and as many by meaning.
   * Nothing else is looked at, let alone ranked. Words are any text; those that say nothing find nothing.
   */
  search(query: SearchQuery): Promise<SearchResult>
  /** Whether anything can be found in this tenant; asked in every step of a round, so it has to be quick. */
  hasPublished(tenant: string): Promise<boolean>
  /** Whether vectors can be stored and compared here. */
  readonly hasVectors: boolean
  /** Chunks of any document that have no vector of this model, in the order they were stored. */
  unembedded(model: string, limit: number): Promise<readonly (ChunkRef & Chunk)[]>
  /** Stores vectors of length 1; chunks that are gone, or have other words by now, are left out. */
  putVectors(model: string, vectors: readonly (ChunkRef & Chunk & { readonly vector: Float32Array })[]): Promise<void>
  /** How many chunks there are, and how many of them have a vector of this model. */
  embedded(model: string): Promise<{ readonly done: number; readonly all: number }>
  /** Erases the vectors of all other models. */
  keepVectorsOf(model: string): Promise<void>
}

/** Identifies a chunk in maps. */
export const chunkKey = ({ documentId, version, chunk }: ChunkRef): string => `${documentId} ${version} ${chunk}`

export interface NewDocument extends Pick<
  Document,
  'id' | 'tenant' | 'workspaceId' | 'title' | 'contentType' | 'source' | 'author' | 'hash' | 'bytes' | 'createdAt'
> {}

/** Null removes a field. */
export interface DocumentChanges {
  readonly title?: string
  /** `archived` also takes the published version out of what is found */
  readonly status?: Exclude<DocumentStatus, 'published'>
  readonly editors?: readonly string[]
  readonly reviewer?: string | null
  readonly selfApproved?: boolean
  readonly reason?: string | null
  readonly content?: {
    readonly chunks: readonly Chunk[]
    readonly contentType: string
    readonly hash: string
    readonly bytes: number
    /** of the next version, if this begins one */
    readonly author: string
  }
}

export interface DocumentQuery extends PageQuery {
  readonly tenant: string
  readonly workspaceId?: string
  readonly status?: DocumentStatus
}

export interface SearchQuery {
  readonly tenant: string
  readonly workspaceIds: readonly string[]
  readonly words: string
  /** of the question, of length 1 */
  readonly vector?: { readonly model: string; readonly values: Float32Array }
  readonly limit: number
  readonly signal?: AbortSignal
  /** after that nobody waits for it, so a server that would go on ends it */
  readonly mostMs?: number
}

export interface SearchResult {
  readonly byWords: readonly Passage[]
  /** with the cosine */
  readonly byMeaning: readonly (Passage & { readonly similarity: number })[]
}
