import { createRoute, OpenAPIHono, z, type Hook, type RouteConfig } from '@hono/zod-openapi'
import type { Context, Env, MiddlewareHandler } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CountFailedSignIn, Rate } from '../../account/index.ts'
import type { Cluster } from '../../cluster/index.ts'
import type { Rooms } from '../../config/index.ts'
import type { Actor, OPERATOR } from '../../contract/actor.ts'
import { need } from '../../contract/need.ts'
import type { ProblemCode } from '../../contract/problem.ts'
import type { Shares } from '../../lib/fair-share.ts'
import type { Segno } from '../../segno.ts'
import type { NodeStreams, StreamOptions, WireStream } from '../../stream/index.ts'
import type { Log, Metrics } from '../../telemetry/index.ts'
import { invalidWords, MOST_FAULTS } from './invalid-words.ts'
import { problem } from './problems.ts'
import { problemSchema, words } from './schemas.ts'
import { staticFirst } from './static-first.ts'

export interface AppEnv extends Env {
  Variables: {
    httpRequestId: string
    actor: Actor
    /** aborted when the key of the request is revoked or expires */
    until: AbortSignal | undefined
    problem: ProblemCode | undefined
    /** the response was already written to the connection */
    isSent: boolean | undefined
  }
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
}

export type App = OpenAPIHono<AppEnv>

/** Segno, and what only the server needs. */
export interface Services extends Segno {
  /** The caller must have checked that the actor may read the session. */
  openStream(options: StreamOptions): WireStream
  readonly cluster: Cluster
  readonly nodeStreams: NodeStreams
  readonly metrics: Metrics
  readonly log: Log
  readonly rate: Rate
  readonly countFailedSignIn: CountFailedSignIn
  /** limits how many streams and waiting requests are open */
  readonly streams: Shares
  readonly settings: Rooms['http'] & { readonly version: string }
}

const onInvalid: Hook<unknown, AppEnv, string, unknown> = (result, c) => {
  if (result.success) return undefined
  const issues = result.error.issues.slice(0, MOST_FAULTS)
  const errors = issues.flatMap((issue) => invalidWords(issue, result.target)).slice(0, MOST_FAULTS)
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return problem(c, 'VALIDATION_ERROR', detail, errors)
}

export const newRoutes = (): App => new OpenAPIHono<AppEnv>({ defaultHook: onInvalid, router: staticFirst() })

/** The permission for a route. `anyone`: without an actor. `known`: any actor. */
export type Needs = 'anyone' | 'known' | typeof OPERATOR | `${string}:${string}`

/** A route, such as `get /api/keys`. The permission is checked before anything is read, and documented. */
export function route<M extends Method, P extends string, R extends Omit<RouteConfig, 'method' | 'path'>>(
  needs: Needs,
  place: `${M} ${P}`,
  config: R,
) {
  const [method, path] = place.split(' ') as [M, P]
  const checks = needs !== 'anyone' && needs !== 'known' ? { middleware: needing(needs) } : {}
  const security = needs === 'anyone' ? {} : { security: [{ key: [] }] }
  type Whole = R & { method: M; path: P; responses: typeof FAILURES }
  const whole = {
    ...config,
    method,
    path,
    responses: { ...config.responses, ...(needs !== 'anyone' && FAILURES) },
  } as Whole
  return createRoute<P, Whole>({ ...whole, ...onlyKnownQuery(whole), ...checks, ...security, 'x-needs': needs })
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Refuses unknown parameters in `/api`; elsewhere other programs add their own. */
function onlyKnownQuery({ path, request }: Omit<RouteConfig, 'method'>): Pick<RouteConfig, 'request'> {
  if (!path.startsWith('/api/')) return {}
  const query = request?.query ?? z.object({})
  return { request: { ...request, query: query instanceof z.ZodObject ? query.strict() : query } }
}

function needing(permission: string): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    need(c.get('actor'), permission)
    return next()
  }
}

/** Answers 204 when the work is done. */
export async function noContent(c: Context, work: Promise<unknown>) {
  await work
  return c.body(null, 204)
}

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

export const streamed = (description: string) => ({
  description,
  content: { 'text/event-stream': { schema: z.string() } },
})

export const jsonOrStream = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema }, 'text/event-stream': { schema: z.string() } },
})

export const body = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

/** For bodies whose fields are all optional. */
export const optionalBody = <S extends z.ZodType>(schema: S) => ({
  body: { required: false, content: { 'application/json': { schema } } },
})

export const onceHeader = z.object({
  'idempotency-key': words(200).optional().describe('the same key and body get the same answer, and happen once'),
})

const failed = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

export const FAILURES = {
  400: failed('The request does not fit; the fields are named.'),
  401: failed('A key is needed, or the one sent is not valid.'),
  403: failed('Not allowed, or asked by a page of another site.'),
  404: failed('There is no such thing for you.'),
  409: failed('It does not fit the state of things.'),
  413: failed('The body is too large.'),
  415: failed('The body is not JSON.'),
  422: failed('The idempotency key was used for something else.'),
  429: failed('Too much at once; see Retry-After.'),
  500: failed('A mistake of ours.'),
  501: failed('Switched off; see the settings.'),
  503: failed('Segno is stopping or its store cannot be used.'),
} as const

const id = (description: string) => words(200).openapi({ description })
export const idParam = z.object({ id: id('id of the session') })
export const roundParam = z.object({ requestId: id('id of the round') })
