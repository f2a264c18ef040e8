import { createRoute, OpenAPIHono, z, type Hook, type RouteConfig } from '@hono/zod-openapi'
import type { Env, MiddlewareHandler } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FailedSignIns, Rate } from '../../account/index.ts'
import type { Rooms } from '../../config/index.ts'
import type { Actor, OPERATOR } from '../../contract/actor.ts'
import { need } from '../../contract/need.ts'
import type { ProblemCode } from '../../contract/problem.ts'
import type { Shares } from '../../lib/fair-share.ts'
import type { Segno } from '../../segno.ts'
import type { StreamOptions, WireStream } from '../../stream/index.ts'
import type { Log, Metrics } from '../../telemetry/index.ts'
import { invalidWords, MOST_FAULTS } from './invalid-words.ts'
import { problem } from './problems.ts'
import { problemSchema, words } from './schemas.ts'

export interface AppEnv extends Env {
  Variables: {
    requestId: string
    actor: Actor
    /** aborted when the key it was asked with stops being one */
    until: AbortSignal | undefined
    problem: ProblemCode | undefined
    /** the answer was written to the connection already */
    isSent: boolean | undefined
  }
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
}

export type App = OpenAPIHono<AppEnv>

/** A running Segno, and what only a server needs of it. */
export interface Services extends Segno {
  /** Who calls this has made sure that the actor may read the session. */
  openStream(options: StreamOptions): WireStream
  readonly metrics: Metrics
  readonly log: Log
  readonly rate: Rate
  readonly failedSignIns: FailedSignIns
  /** places for those who read or wait */
  readonly streams: Shares
  readonly settings: Rooms['http'] & { readonly version: string }
}

/** A request that does not fit its schema: which field, and what was expected. */
const onInvalid: Hook<unknown, AppEnv, string, unknown> = (result, c) => {
  if (result.success) return undefined
  const issues = result.error.issues.slice(0, MOST_FAULTS)
  const errors = issues.flatMap((issue) => invalidWords(issue, result.target)).slice(0, MOST_FAULTS)
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return problem(c, 'VALIDATION_ERROR', detail, errors)
}

export const newRoutes = (): App => new OpenAPIHono<AppEnv>({ defaultHook: onInvalid })

/** What an actor must be allowed to use a route. `anyone`: no actor is needed. `known`: any actor will do. */
export type Needs = 'anyone' | 'known' | typeof OPERATOR | `${string}:${string}`

/**
 * A route, such as `get /api/keys`, with what it needs and the ways it can fail: checked before anything else is read, and
 * written in the documentation.
 */
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

/** A parameter nobody knows is a mistake in `/api`, as an unknown field is; elsewhere others add their own. */
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

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** An answer that is JSON or a stream, as the client asks. */
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

/** Where every field has a default: no body is an empty one. */
export const optionalBody = <S extends z.ZodType>(schema: S) => ({
  body: { required: false, content: { 'application/json': { schema } } },
})

/** For every POST that creates something. */
export const onceHeader = z.object({
  'idempotency-key': words(200).optional().openapi({
    description: 'the same key and body get the same answer, and happen once',
  }),
})

const failed = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** The ways any route can fail. */
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
