import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DOCUMENT_STATUSES, type Document } from '../../../contract/knowledge.ts'
import { Problem } from '../../../contract/problem.ts'
import { fairShare } from '../../../lib/fair-share.ts'
import { actorKey } from '../../../lib/key-of.ts'
import { wire } from '../bodies.ts'
import { isUpload } from '../check-body.ts'
import {
  body,
  json,
  newRoutes,
  noContent,
  onceHeader,
  optionalBody,
  route,
  type App,
  type AppEnv,
  type Services,
} from '../route.ts'
import { byNumber, given, named, namedInput, page, revision, time, words } from '../schemas.ts'
import { documentChangesIn, newDocumentIn } from '../upload.ts'

const documentSchema = named('Document', {
  id: z.string(),
  workspaceId: z.string().describe('whose conversations find it; system: those of the whole tenant'),
  title: z.string(),
  contentType: z.string(),
  source: z.string().optional().describe('where it was imported from'),
  version: z.number().int().describe('the newest; all below is about this one'),
  status: z.enum(DOCUMENT_STATUSES),
  publishedVersion: z.number().int().optional().describe('the one that is found'),
  author: z.string(),
  editors: z.array(z.string()).readonly().describe('everybody else who changed its words'),
  reviewer: z.string().optional().describe('who approved it'),
  selfApproved: z.literal(true).optional().describe('by its author, because the tenant has nobody else'),
  reason: z.string().optional().describe('of the last step'),
  hash: z.string().describe('SHA-256 of the uploaded bytes'),
  bytes: z.number().int(),
  chunks: z.number().int().describe('the pieces that are found'),
  createdAt: time,
  updatedAt: time,
  publishedAt: time.optional(),
  revision: z.number().int().describe('counts its changes'),
})

const chunkSchema = named('Chunk', {
  chunk: z.number().int().describe('its number, from 0'),
  place: z.string().describe('where in the document: headings, or a page'),
  text: z.string(),
})

const foundSchema = named('Found', {
  documentId: z.string(),
  version: z.number().int(),
  chunk: z.number().int(),
  title: z.string(),
  place: z.string(),
  text: z.string(),
  score: z.number().describe('0 to 1; compares the results of one search'),
})

const indexSchema = named('KnowledgeIndex', {
  model: z.string().describe('the embedding model of the settings'),
  hasVectors: z.boolean().describe('false: search is by words only'),
  done: z.number().int().describe('chunks that have a vector of this model'),
  all: z.number().int(),
  searching: z.string().optional().describe('the model before, whose vectors are searched until all are made anew'),
  failure: z.string().optional().describe('why no vectors are made now'),
})

// How long it may really be is the limits BODY_BYTES, DOCUMENT_BYTES and DOCUMENT_CHARS.
const content = words(100_000_000)
const contentType = words(200).optional().describe('default: text/markdown; binary formats are uploaded as files')
const newDocumentSchema = namedInput('NewDocument', {
  title: words(200),
  content,
  contentType,
  workspaceId: words(200).optional().describe('default: system, found by the whole tenant'),
  source: words(500).optional().describe('where it comes from; one document for each in a workspace'),
})
const changesSchema = namedInput('DocumentChanges', {
  title: words(200).optional(),
  content: content.optional(),
  contentType,
  revision,
})
const stepSchema = namedInput('DocumentStep', {
  reason: words(1000).optional(),
  revision,
})
const searchSchema = namedInput('KnowledgeSearch', {
  query: words(1000),
  limit: z.number().int().min(1).max(50).optional(),
  workspaceId: words(200).optional().describe('what its conversations find; default: system'),
})

/** JSON, or a form with a file, which is described here and read by `upload.ts`. */
const jsonOrForm = <S extends z.ZodType>(schema: S, fields: readonly string[], needed: readonly string[]) => {
  const properties = {
    file: { type: 'string', format: 'binary' },
    ...Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
  }
  const form = { schema: { type: 'object', properties, required: needed } }
  // The library knows only some spellings of a form's type; with the second line it leaves that to `isUpload`.
  const content = { 'application/json': { schema }, 'multipart/form-data': form, 'multipart/*': form }
  return { body: { required: false, content: content as { 'application/json': { schema: S } } } }
}

const param = z.object({ id: words(200).describe('id of the document') })

const list = route('knowledge:read', 'get /api/knowledge', {
  summary: 'The documents of your tenant, newest first',
  request: {
    query: z.object({
      workspaceId: words(200).optional(),
      status: z.enum(DOCUMENT_STATUSES).optional(),
      ...byNumber,
    }),
  },
  responses: { 200: json(page(documentSchema), 'a page of documents') },
})

const create = route('knowledge:write', 'post /api/knowledge', {
  summary: 'Add a document as a draft',
  description: 'As JSON, or as multipart/form-data with a file: Markdown, text, HTML, PDF or DOCX.',
  request: {
    headers: onceHeader,
    ...jsonOrForm(newDocumentSchema, ['title', 'workspaceId', 'source', 'contentType'], ['file']),
  },
  responses: { 201: json(documentSchema, 'the draft') },
})

const index = route('knowledge:read', 'get /api/knowledge/index', {
  summary: 'How far finding by meaning is',
  responses: { 200: json(indexSchema, 'how many chunks have a vector') },
})

const search = route('knowledge:read', 'post /api/knowledge/search', {
  summary: 'What a conversation of a workspace would find',
  request: body(searchSchema),
  responses: { 200: json(z.object({ items: z.array(foundSchema).readonly() }), 'passages, best first') },
})

const get = route('knowledge:read', 'get /api/knowledge/{id}', {
  summary: 'One document',
  request: { params: param },
  responses: { 200: json(documentSchema, 'the document') },
})

const change = route('knowledge:write', 'patch /api/knowledge/{id}', {
  summary: 'Change a document; new content makes a draft, and what was published is found until that is',
  request: { params: param, ...jsonOrForm(changesSchema, ['title', 'revision', 'contentType'], []) },
  responses: { 200: json(documentSchema, 'the document') },
})

const remove = route('knowledge:write', 'delete /api/knowledge/{id}', {
  summary: 'Erase a document with all its versions',
  request: { params: param },
  responses: { 204: { description: 'it is erased' } },
})

const chunks = route('knowledge:read', 'get /api/knowledge/{id}/chunks', {
  summary: 'The pieces of a document that are found, in their order',
  request: {
    params: param,
    query: z.object({
      version: z.coerce.number().int().min(1).optional().describe('default: the newest'),
      ...byNumber,
    }),
  },
  responses: { 200: json(page(chunkSchema), 'a page of chunks') },
})

/** Who may take a step, and what it does. */
const STEPS = [
  ['knowledge:write', 'submit', 'Submit a draft for review'],
  ['knowledge:review', 'approve', 'Approve what others wrote'],
  ['knowledge:review', 'reject', 'Send it back to its author, with a reason'],
  ['knowledge:publish', 'publish', 'From now on this version is found, instead of the one before'],
  ['knowledge:publish', 'archive', 'It is not found any more'],
] as const

const step = ([needs, name, summary]: (typeof STEPS)[number]) =>
  route(needs, `post /api/knowledge/{id}/${name}`, {
    summary,
    request: { params: param, ...optionalBody(stepSchema) },
    responses: { 200: json(documentSchema, 'the document after this step') },
  })

const documentBody = ({ tenant: _, ...document }: Document) => wire(document)

/** Uploads in memory at once. */
const UPLOADS = 8

export function knowledgeRoutes({ documents }: Services): App {
  const places = fairShare(UPLOADS)

  /** Reads a document from the request and stores it, if not too many are being read. */
  async function uploading<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
    const leave = places.take(actorKey(c.get('actor')))
    if (!leave)
      throw new Problem('RATE_LIMITED', 'Too many documents are being uploaded now; try again soon.', {
        retryAfterMs: 5000,
      })
    try {
      return await work()
    } finally {
      leave()
    }
  }

  const routes = newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await documents.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(documentBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const made = await uploading(c, async () => {
        const wanted = isUpload(c) ? await newDocumentIn(c) : given(c.req.valid('json'))
        return documents.create(c.get('actor'), wanted, c.req.header('idempotency-key'))
      })
      return c.json(documentBody(made), 201)
    })
    .openapi(index, async (c) => c.json(await documents.index(c.get('actor')), 200))
    .openapi(search, async (c) => {
      const wanted = given(c.req.valid('json'))
      const items = await documents.search(c.get('actor'), { ...wanted, signal: c.req.raw.signal })
      return c.json({ items }, 200)
    })
    .openapi(get, async (c) => c.json(documentBody(await documents.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      const changed = await uploading(c, async () => {
        const changes = isUpload(c) ? await documentChangesIn(c) : given(c.req.valid('json'))
        return documents.change(c.get('actor'), id, changes)
      })
      return c.json(documentBody(changed), 200)
    })
    .openapi(remove, async (c) => noContent(c, documents.remove(c.get('actor'), c.req.valid('param').id)))
    .openapi(chunks, async (c) => {
      const { id } = c.req.valid('param')
      const { items, next } = await documents.chunks(c.get('actor'), id, given(c.req.valid('query')))
      return c.json({ items: [...items], next }, 200)
    })
  for (const one of STEPS)
    routes.openapi(step(one), async (c) => {
      const { id } = c.req.valid('param')
      return c.json(documentBody(await documents[one[1]](c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
  return routes
}
