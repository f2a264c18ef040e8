import type { Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { beginsVersion, type Chunk, type Document, type Found } from '../contract/knowledge.ts'
import { need } from '../contract/need.ts'
import { changedMeanwhile, invalidField, Problem } from '../contract/problem.ts'
import type { VectorView } from '../contract/views.ts'
import { SYSTEM_WORKSPACE } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import {
  claimOf,
  earlierResult,
  type DocumentChanges,
  type DocumentQuery,
  type InboxStore,
  type KnowledgeStore,
  type Page,
  type PageQuery,
} from '../store/index.ts'
import { documentSteps, type DocumentSteps } from './document-steps.ts'
import {
  checkDocumentChanges,
  checkNewDocument,
  uploadOf,
  type DocumentChangesInput,
  type NewDocumentInput,
  type Upload,
} from './documents-input.ts'
import type { Find } from './find.ts'
import { hasWritten, type FourEyes } from './four-eyes.ts'
import { scopeOf } from './retrieval.ts'
import { storedDocuments } from './stored-documents.ts'

export interface DocumentOptions extends FourEyes {
  readonly clock: Clock
  /** Throws a Problem that says what is wrong with a document. */
  parse(tenant: string, bytes: Uint8Array, contentType: string): Promise<Chunk[]>
  /** Throws a Problem if the actor has no such workspace. */
  workspace(actor: Actor, id: string): Promise<unknown>
  readonly find: Find
  readonly vectors: { view(): Promise<VectorView>; wake(): void }
}

/** Documents, version by version; everybody in their tenant sees them and nobody else. */
export interface Documents extends DocumentSteps {
  /** Stores a draft once all of it could be read. */
  create(actor: Actor, wanted: NewDocumentInput, once?: string): Promise<Document>
  get(actor: Actor, id: string): Promise<Document>
  /** Newest first. */
  list(actor: Actor, query?: Omit<DocumentQuery, 'tenant'>): Promise<Page<Document>>
  /**
   * New content makes a draft: of the next version if this one was ever found, else of this one. The same content
   * changes nothing.
   */
  change(actor: Actor, id: string, changes: DocumentChangesInput): Promise<Document>
  /** Erases it with all its versions. */
  remove(actor: Actor, id: string): Promise<void>
  /** Of the newest version if none is named. */
  chunks(actor: Actor, id: string, query?: ChunkQuery): Promise<Page<Chunk & { readonly chunk: number }>>
  /** What a conversation of this workspace (default: `system`) would find, best first. */
  search(actor: Actor, query: SearchInput): Promise<readonly Found[]>
  /** How far finding by meaning is. */
  index(actor: Actor): Promise<VectorView>
}

interface ChunkQuery extends PageQuery {
  readonly version?: number
}

interface SearchInput {
  readonly query: string
  readonly limit?: number
  readonly workspaceId?: string
  readonly signal?: AbortSignal
}

type Wanted = Pick<Document, 'title' | 'workspaceId' | 'hash' | 'source'>

const READ = 'knowledge:read'
const WRITE = 'knowledge:write'
const QUERY_CHARS = 1000
const MOST_FOUND = 50
const USUALLY_FOUND = 10
const MARKDOWN = 'text/markdown'

export function createDocuments(
  store: KnowledgeStore & Pick<InboxStore, 'findClaim'>,
  options: DocumentOptions,
): Documents {
  const { clock, workspace, parse, find, vectors } = options
  const stored = storedDocuments(store, clock)
  const inTurn = oneAtATime<Document>()

  async function read(tenant: string, { bytes, contentType }: Upload) {
    const chunks = await parse(tenant, bytes, contentType)
    return { chunks, contentType, hash: sha256(bytes), bytes: bytes.length }
  }

  /** Why it is refused: two documents from one place, or with the same bytes, would be found twice. */
  async function refusalOf(
    { tenant, workspaceId, hash, source }: Pick<Document, 'workspaceId' | 'hash' | 'source'> & { tenant: string },
    but?: string,
  ): Promise<Problem | undefined> {
    if (source !== undefined) {
      const there = await store.documentFrom(tenant, workspaceId, source)
      return there && isThere(there, 'from the same source')
    }
    const there = (await store.documentsWith(tenant, workspaceId, hash)).find(({ id }) => id !== but)
    return there && isThere(there, 'with the same content')
  }

  async function add(actor: Actor, upload: Upload, wanted: Wanted, once: string | undefined): Promise<Document> {
    const { id: author, tenant } = actor
    const { contentType } = upload
    const { source, ...about } = wanted
    const draft = { ...about, id: newId(), tenant, author, createdAt: clock.now() }
    const claim = claimOf('document', actor, once, { ...wanted, contentType }, { id: draft.id })
    const refusal = async (): Promise<Problem | undefined> => refusalOf({ ...wanted, tenant })
    const refused = await refusal()
    // Afterwards, because what is there may have been stored under this claim just now.
    const earlier = claim && (await store.findClaim(claim.key))
    if (earlier) return stored.get(tenant, earlierResult<{ id: string }>(earlier, claim).id)
    if (refused) throw refused
    const { chunks, ...content } = await read(tenant, upload)
    const audit = [stored.record('document_created', actor, { ...draft, version: 1 })]
    const document = { ...draft, ...content, ...(source !== undefined && { source }) }
    const made = await store.putDocument(document, chunks, { audit, ...(claim && { claim }) }).catch(askAgain(refusal))
    if ('kind' in made) return stored.get(tenant, earlierResult<{ id: string }>(made.claim, claim).id)
    vectors.wake()
    return made
  }

  return {
    ...documentSteps(stored, options),
    async create(actor, wanted, once) {
      need(actor, WRITE)
      checkNewDocument(wanted)
      const { workspaceId = SYSTEM_WORKSPACE, title, source } = wanted
      const upload = uploadOf(wanted, MARKDOWN)
      if (!upload) throw invalidField('content', 'is needed')
      await workspace(actor, workspaceId)
      const hash = sha256(upload.bytes)
      const about = { title, workspaceId, hash, ...(source !== undefined && { source }) }
      // What is uploaded twice at once is read and stored once.
      return inTurn(keyOf(actor.tenant, workspaceId, source ?? hash), () => add(actor, upload, about, once))
    },
    async get(actor, id) {
      need(actor, READ)
      return stored.get(actor.tenant, id)
    },
    async list(actor, query = {}) {
      need(actor, READ)
      checkLimit(query.limit)
      if (query.workspaceId !== undefined) await workspace(actor, query.workspaceId)
      return store.documents({ ...query, tenant: actor.tenant })
    },
    async change(actor, id, changes) {
      need(actor, WRITE)
      checkDocumentChanges(changes)
      const document = await stored.get(actor.tenant, id)
      if ((changes.revision ?? document.revision) !== document.revision) throw changedMeanwhile('document')
      const upload = uploadOf(changes, usualType(document, changes.content))
      const { title = document.title } = changes
      const isNewTitle = title !== document.title
      const isNewContent = upload !== undefined && !isSame(upload, document)
      if (!isNewTitle && !isNewContent) return document
      if (isNewTitle) checkMayBeRenamed(document)
      const refusal = async (): Promise<Problem | undefined> =>
        isNewContent && document.source === undefined
          ? refusalOf({ ...document, hash: sha256(upload.bytes) }, id)
          : undefined
      const refused = await refusal()
      if (refused) throw refused
      const content = isNewContent ? { ...(await read(actor.tenant, upload)), author: actor.id } : undefined
      const set = {
        ...asDraft(actor, document, isNewContent),
        ...(isNewTitle && { title }),
        ...(content && { content }),
      }
      const changed = await stored.change('document_changed', actor, document, set).catch(askAgain(refusal))
      if (content) vectors.wake()
      return changed
    },
    async remove(actor, id) {
      need(actor, WRITE)
      const document = await stored.get(actor.tenant, id)
      const audit = [stored.record('document_deleted', actor, document)]
      // Somebody else may have been faster.
      await store.deleteDocument(document.id, audit)
    },
    async chunks(actor, id, { version, ...page } = {}) {
      need(actor, READ)
      checkLimit(page.limit)
      const document = await stored.get(actor.tenant, id)
      const wanted = version ?? document.version
      if (wanted < 1 || wanted > document.version || !Number.isSafeInteger(wanted))
        throw new Problem('NOT_FOUND', `It has no version ${wanted}; its newest is ${document.version}.`)
      return store.chunks(id, wanted, page)
    },
    async search(actor, { query, limit = USUALLY_FOUND, workspaceId = SYSTEM_WORKSPACE, signal }) {
      need(actor, READ)
      checkLimit(limit)
      if (limit > MOST_FOUND) throw invalidField('limit', `must be at most ${MOST_FOUND}`)
      if (typeof query !== 'string' || query.trim() === '' || query.length > QUERY_CHARS)
        throw invalidField('query', `must have 1 to ${QUERY_CHARS} characters that are not all blank`)
      await workspace(actor, workspaceId)
      const { tenant } = actor
      return find({ tenant, workspaceIds: scopeOf(workspaceId), text: query, limit, ...(signal && { signal }) })
    },
    async index(actor) {
      need(actor, READ)
      return vectors.view()
    },
  }
}

/** Somebody may have been faster on another node while it was read; then that is said in better words. */
const askAgain =
  (refusal: () => Promise<Problem | undefined>) =>
  async (error: unknown): Promise<never> => {
    throw (await refusal()) ?? error
  }

const isSame = ({ bytes, contentType }: Upload, document: Document): boolean =>
  contentType === document.contentType && bytes.length === document.bytes && sha256(bytes) === document.hash

/** Words that are sent for a file that was no text are Markdown. */
const usualType = ({ contentType }: Document, content: unknown): string =>
  typeof content === 'string' && !contentType.startsWith('text/') ? MARKDOWN : contentType

/** Who changes a version takes part in it, and what was approved of it does not count any more. */
function asDraft({ id }: Actor, document: Document, isNewContent: boolean): DocumentChanges {
  const { editors } = document
  // The store begins the next version, which is nobody's yet.
  if (isNewContent && beginsVersion(document)) return {}
  return {
    status: 'draft',
    reviewer: null,
    selfApproved: false,
    ...(!hasWritten(id, document) && { editors: [...editors, id] }),
  }
}

/**
 * A title is told with every passage, so it is reviewed with the words it stands above; conversations tell it again as
 * long as the document is there.
 */
function checkMayBeRenamed({ publishedAt }: Document): void {
  if (publishedAt !== undefined)
    throw new Problem(
      'CONFLICT',
      'It was published under its title, which conversations still tell. To have another one, delete it and add it anew.',
      { field: 'title' },
    )
}

function isThere({ id, title, status }: Document, how: string): Problem {
  const instead = 'Change that one instead, or delete it first.'
  return new Problem('CONFLICT', `This workspace has a document ${how}: "${title}" (${id}, ${status}). ${instead}`)
}
