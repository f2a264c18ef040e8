import { z } from '@hono/zod-openapi'
import { OPERATOR } from '../../../contract/actor.ts'
import { wire } from '../bodies.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'

const node = z.object({
  id: z.string(),
  address: z.string().nullable().describe('where other nodes reach it'),
  version: z.string(),
  sessions: z.number().describe('sessions in its memory'),
  rounds: z.number().describe('rounds that run there now'),
  seenAt: z.string().openapi({ format: 'date-time', description: 'when it last said that it lives' }),
})

const clusterSchema = z.object({
  self: z.string().describe('the node that answers'),
  nodes: z.array(node),
  unreachable: z
    .array(z.string())
    .readonly()
    .describe(
      'nodes that did not answer this one when it asked last: of their sessions it shows what is stored, not what is being written',
    ),
})

const list = route(OPERATOR, 'get /api/cluster', {
  summary: 'Which nodes share the database, and what they do?',
  responses: { 200: json(clusterSchema, 'the nodes') },
})

export function clusterRoutes({ nodes: nodesFor }: Services): App {
  return newRoutes().openapi(list, (c) => {
    const { self, nodes, unreachable } = nodesFor(c.get('actor'))
    return c.json({ self, nodes: nodes.map(wire), unreachable }, 200)
  })
}
