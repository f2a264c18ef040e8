import { z } from '@hono/zod-openapi'
import type { FilePart } from '../../../contract/message.ts'
import { FILE_KINDS } from '../../../lib/file-kind.ts'
import { idParam, newRoutes, route, type App, type Services } from '../route.ts'
import { words } from '../schemas.ts'

const TYPES = { markdown: 'text/markdown; charset=utf-8', jsonl: 'application/x-ndjson' } as const
const ENDINGS = { markdown: 'md', jsonl: 'jsonl' } as const

const whole = route('chat:read', 'get /api/sessions/{id}/export', {
  summary: 'A whole conversation, as a document to read or as every event, one a line',
  request: { params: idParam, query: z.object({ as: z.enum(['markdown', 'jsonl']).optional() }) },
  responses: {
    200: {
      description: 'the conversation up to now',
      content: { 'text/markdown': { schema: z.string() }, 'application/x-ndjson': { schema: z.string() } },
    },
  },
})

const bytes = { schema: z.string().openapi({ format: 'binary' }) }

const file = route('chat:read', 'get /api/sessions/{id}/files/{hash}', {
  summary: 'A picture or a document of a conversation',
  description: 'Messages and events name the files there are: `{type: "file", mediaType, name?, hash, bytes}`.',
  request: { params: idParam.extend({ hash: words(200).describe('of the file') }) },
  responses: {
    200: {
      description: 'its bytes, with its media type',
      content: Object.fromEntries([...FILE_KINDS, 'text/*'].map((kind) => [kind, bytes])),
    },
  },
})

export function downloadRoutes({ sessions, exportSession }: Services): App {
  return newRoutes()
    .openapi(whole, async (c) => {
      const { id } = c.req.valid('param')
      const { as = 'markdown' } = c.req.valid('query')
      const { title } = await sessions.get(c.get('actor'), id)
      const texts = await exportSession(c.get('actor'), id, as)
      return c.body(ReadableStream.from(texts).pipeThrough(new TextEncoderStream()) as ReadableStream, 200, {
        'content-type': TYPES[as],
        'content-disposition': `attachment; filename="${fileName(title, id)}.${ENDINGS[as]}"`,
      }) as never
    })
    .openapi(file, async (c) => {
      const { id, hash } = c.req.valid('param')
      const { part, bytes: content } = await sessions.file(c.get('actor'), id, hash)
      return c.body(content as Uint8Array<ArrayBuffer>, 200, {
        'content-type': part.mediaType,
        'content-length': String(content.length),
        'content-disposition': disposition(part),
      })
    })
}

/** Only letters and digits, which are safe on every system. */
function fileName(title: string, id: string): string {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return [...words, id.slice(0, 8)].join('-').slice(-60).replace(/^-/, '')
}

/** Always an attachment: an uploaded file must not run as a page of this server. */
function disposition({ name }: FilePart): string {
  if (name === undefined) return 'attachment'
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `attachment; filename*=UTF-8''${encoded}`
}
