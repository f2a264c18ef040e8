import { OpenAPIHono, type Hook } from '@hono/zod-openapi'
import type { Env } from 'hono'
import { z } from '@hono/zod-openapi'
import type { Segno } from '../../segno.ts'
import { problem } from './problems.ts'
import { problemSchema } from './schemas.ts'

export interface AppEnv extends Env {
  Variables: { requestId: string }
}

export type App = OpenAPIHono<AppEnv>

/** What the routes need of a running Segno. */
export type Services = Pick<Segno, 'sessions' | 'rounds' | 'follow' | 'followRound' | 'completion' | 'ready'>

/** A request that does not fit its schema: which field, and what was expected. */
export const onInvalid: Hook<unknown, AppEnv, string, unknown> = (result, c) => {
  if (result.success) return undefined
  const errors = result.error.issues.map((issue) => ({
    field: issue.path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : 'body'),
    message: issue.message,
  }))
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
  return problem(c, 400, 'VALIDATION_ERROR', detail, errors)
}

export const newRoutes = (): App => new OpenAPIHono<AppEnv>({ defaultHook: onInvalid })

export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

export const body = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

const failed = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
})

/** The ways any route can fail. */
export const FAILURES = {
  400: failed('The request does not fit; the fields are named.'),
  401: failed('A key is needed.'),
  403: failed('Not from here.'),
  404: failed('There is no such thing for you.'),
  409: failed('It does not fit the state of things.'),
  413: failed('The body is too large.'),
  415: failed('The body is not JSON.'),
  422: failed('The idempotency key was used for something else.'),
  429: failed('Too much at once; see Retry-After.'),
  500: failed('A mistake of ours.'),
  503: failed('Segno is stopping or its store cannot be used.'),
} as const

export const idParam = z.object({ id: z.string().openapi({ description: 'id of the session' }) })
