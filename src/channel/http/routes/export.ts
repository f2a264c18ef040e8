import { z } from '@hono/zod-openapi'
import { idParam, newRoutes, route, type App, type Services } from '../route.ts'

const TYPES = { markdown: 'text/markdown; charset=utf-8', jsonl: 'application/x-ndjson' } as const
const ENDINGS = { markdown: 'md', jsonl: 'jsonl' } as const

const read = route('chat:read', 'get /api/sessions/{id}/export', {
  summary: 'A whole conversation, as a document to read or as every event, one a line',
  request: { params: idParam, query: z.object({ as: z.enum(['markdown', 'jsonl']).optional() }) },
  responses: {
    200: {
      description: 'the conversation up to now',
      content: { 'text/markdown': { schema: z.string() }, 'application/x-ndjson': { schema: z.string() } },
    },
  },
})

export function exportRoutes({ sessions, exportSession }: Services): App {
  return newRoutes().openapi(read, async (c) => {
    const { id } = c.req.valid('param')
    const { as = 'markdown' } = c.req.valid('query')
    const { title } = await sessions.get(c.get('actor'), id)
    const texts = await exportSession(c.get('actor'), id, as)
    const bytes = ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
    return c.body(bytes as ReadableStream, 200, {
      'content-type': TYPES[as],
      'content-disposition': `attachment; filename="${fileName(title, id)}.${ENDINGS[as]}"`,
    }) as never
  })
}

/** Letters and digits that every system takes, whatever the title says. */
function fileName(title: string, id: string): string {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return [...words, id.slice(0, 8)].join('-').slice(-60).replace(/^-/, '')
}
