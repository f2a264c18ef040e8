import { z } from '@hono/zod-openapi'
import type { FilePart } from '../../../contract/message.ts'
import { FILE_KINDS } from '../../../lib/file-kind.ts'
import { idParam, newRoutes, route, type App, type Services } from '../route.ts'

const bytes = { schema: z.string().openapi({ format: 'binary' }) }

const read = route('chat:read', 'get /api/sessions/{id}/files/{hash}', {
  summary: 'A picture or a document of a conversation',
  description: 'Messages and events name the files there are: `{type: "file", mediaType, name?, hash, bytes}`.',
  request: { params: idParam.extend({ hash: z.string().min(1).max(200).openapi({ description: 'of the file' }) }) },
  responses: {
    200: {
      description: 'its bytes, with its media type',
      content: Object.fromEntries([...FILE_KINDS, 'text/*'].map((kind) => [kind, bytes])),
    },
  },
})

export function fileRoutes({ sessions }: Services): App {
  return newRoutes().openapi(read, async (c) => {
    const { id, hash } = c.req.valid('param')
    const { part, bytes: content } = await sessions.file(c.get('actor'), id, hash)
    return c.body(content as Uint8Array<ArrayBuffer>, 200, {
      'content-type': part.mediaType,
      'content-length': String(content.length),
      'content-disposition': disposition(part),
    })
  })
}

/** Always to be saved: what somebody put into a conversation must not act as a page of this server. */
function disposition({ name }: FilePart): string {
  if (name === undefined) return 'attachment'
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `attachment; filename*=UTF-8''${encoded}`
}
