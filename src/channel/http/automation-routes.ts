import type { z } from '@hono/zod-openapi'
import { automationParam, listQuery } from './automation-fields.ts'
import { body, json, onceHeader, route } from './route.ts'
import { page } from './schemas.ts'

interface Schemas<One, Wanted, Changes> {
  readonly one: One
  readonly wanted: Wanted
  readonly changes: Changes
}

/** The routes that webhooks, hooks, triggers and schedules have alike; `word`: what one of them is called. */
export function automationRoutes<
  Word extends 'webhook' | 'hook' | 'trigger' | 'schedule',
  One extends z.ZodType,
  Wanted extends z.ZodType,
  Changes extends z.ZodType,
>(
  word: Word,
  { one, wanted, changes }: Schemas<One, Wanted, Changes>,
  words: { readonly list: string; readonly create: string },
) {
  const all = `/api/${word}s` as const
  const each = `${all}/{id}` as const
  const its = json(one, `the ${word}`)
  return {
    list: route('workflow:manage', `get ${all}`, {
      summary: words.list,
      request: { query: listQuery },
      responses: { 200: json(page(one), `a page of ${word}s`) },
    }),
    create: route('workflow:manage', `post ${all}`, {
      summary: words.create,
      request: { headers: onceHeader, ...body(wanted) },
      responses: { 201: its },
    }),
    get: route('workflow:manage', `get ${each}`, {
      summary: `One ${word}`,
      request: { params: automationParam },
      responses: { 200: its },
    }),
    change: route('workflow:manage', `patch ${each}`, {
      summary: `Change a ${word}; what is left out stays`,
      request: { params: automationParam, ...body(changes) },
      responses: { 200: its },
    }),
    remove: route('workflow:manage', `delete ${each}`, {
      summary: `Remove a ${word}, with its secret if it has one`,
      request: { params: automationParam },
      responses: { 204: { description: 'it is gone' } },
    }),
    renew: route('workflow:manage', `post ${each}/secret`, {
      summary: 'Another secret to sign with; the one before stays good until the next',
      request: { params: automationParam },
      responses: { 200: json(one, `the ${word} with its new secret`) },
    }),
  }
}
