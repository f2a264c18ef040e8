import { z } from '@hono/zod-openapi'
import { body, FAILURES, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { anyObject, given, page, words } from '../schemas.ts'
import { wire } from '../bodies.ts'

const serverParam = z.object({ server: words(32) })

const list = route('chat:read', 'get /api/mcp', {
  summary: 'How the MCP servers are, with their tools',
  description: 'Starts the servers of the workspace that are not running, and waits a moment for them.',
  request: { query: z.object({ workspace: words(200).optional() }) },
  responses: { 200: json(page(anyObject), 'servers') },
})

const quarantined = route('operator', 'get /api/mcp/quarantined', {
  summary: 'Tools whose definition is not the trusted one, with what changed',
  responses: { 200: json(page(anyObject), 'tools') },
})

const approve = route('operator', 'post /api/mcp/{server}/approve', {
  summary: 'Trust a changed definition: exactly the one with this hash',
  request: {
    params: serverParam,
    ...body(z.strictObject({ tool: words(500), hash: z.string().regex(/^[0-9a-f]{64}$/) })),
  },
  responses: { 204: { description: 'it is trusted' } },
})

const authorize = route('tool:manage', 'post /api/mcp/{server}/authorize', {
  summary: 'The address to open so that a server lets Segno in',
  request: { params: serverParam },
  responses: { 200: json(z.object({ url: z.string() }), 'where to go') },
})

const callback = route('anyone', 'get /mcp/callback', {
  summary: 'Where a browser comes back to after a login at a server',
  request: {
    query: z.object({
      state: words(1000),
      code: words(4000),
      iss: z.string().max(1000).optional(),
    }),
  },
  responses: { 200: { description: 'done', content: { 'text/plain': { schema: z.string() } } }, ...FAILURES },
})

export function mcpRoutes({ mcp, tools }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const actor = c.get('actor')
      await tools(actor, c.req.valid('query').workspace)
      const items = (await mcp.status(actor)).map(wire)
      return c.json({ items: items as never[], next: null }, 200)
    })
    .openapi(quarantined, async (c) =>
      c.json({ items: (await mcp.quarantined(c.get('actor'))) as never[], next: null }, 200),
    )
    .openapi(approve, (c) => {
      const { tool, hash } = c.req.valid('json')
      return noContent(c, mcp.approve(c.get('actor'), c.req.valid('param').server, tool, hash))
    })
    .openapi(authorize, async (c) => c.json(await mcp.authorize(c.get('actor'), c.req.valid('param').server), 200))
    .openapi(callback, async (c) => {
      const { server } = await mcp.authorized(given(c.req.valid('query')))
      return c.text(`Segno may use ${server} now. You can close this page.`, 200)
    })
}
