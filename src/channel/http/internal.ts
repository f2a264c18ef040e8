import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { WAKE_SESSIONS } from '../../cluster/index.ts'
import { problem } from './problems.ts'
import type { AppEnv, Services } from './route.ts'

/** No node sends more. */
const BODY_BYTES = 65_536

/** Requests between nodes, signed with the secret of the cluster. For anybody else these routes do not exist. */
export function internalRoutes({ cluster, nodeStreams }: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(bodyLimit({ maxSize: BODY_BYTES, onError: nowhere }))
  app.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    const body = c.req.method === 'POST' ? await c.req.text() : ''
    const asked = { method: c.req.method, path: pathname + search, body }
    return cluster.authenticate((name) => c.req.header(name), asked) === undefined ? nowhere(c) : next()
  })
  app.post('/wake', async (c) => {
    const { sessions } = (await c.req.json()) as { sessions?: unknown }
    if (Array.isArray(sessions)) cluster.woken(sessions.filter(isId).slice(0, WAKE_SESSIONS))
    return c.json({ node: cluster.id() }, 200)
  })
  app.get('/follow', (c) => {
    const { session = '', owner } = c.req.query()
    // After a restart another node may have this address.
    if (owner !== cluster.id()) return c.json({ node: cluster.id() }, 409)
    const stream = nodeStreams.open(session)
    if (!stream) return problem(c, 'RATE_LIMITED', TOO_MANY)
    return c.body(stream, 200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  })
  return app
}

const TOO_MANY = 'Too many sessions of this node are followed by others (limit MAX_NODE_STREAMS).'

export function nowhere(c: Context): Response {
  return problem(c, 'NOT_FOUND', 'There is nothing at this address; /docs tells what there is.')
}

const isId = (value: unknown): value is string => typeof value === 'string' && value.length <= 200
