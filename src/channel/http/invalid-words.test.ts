import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { invalidWords } from './invalid-words.ts'

const schema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).optional(),
  name: z.string().min(1).max(3).optional(),
  mode: z.enum(['plan', 'act']).optional(),
  limits: z.strictObject({}).optional(),
  happened: z.boolean(),
})

test.each([
  [{ happened: true, foo: 1, bar: 2 }, 'foo: there is no such parameter here; /docs tells which there are'],
  [{ happened: true, limits: { x: 1 } }, 'limits.x: there is no such parameter here; /docs tells which there are'],
  [{}, 'happened: expected boolean, but it is missing'],
  [{ happened: 'yes' }, 'happened: expected boolean, received string'],
  [{ happened: true, limit: 'abc' }, 'limit: expected number'],
  [{ happened: true, limit: '0' }, 'limit: expected number of at least 1'],
  [{ happened: true, limit: '201' }, 'limit: expected number of at most 200'],
  [{ happened: true, name: '' }, 'name: expected string of at least 1 character'],
  [{ happened: true, name: 'long' }, 'name: expected string of at most 3 characters'],
  [{ happened: true, mode: 'fly' }, 'mode: expected one of "plan", "act"'],
  [7, 'body: expected object, received number'],
])('%j is told so: %s', (input, expected) => {
  const issues = schema.safeParse(input).error?.issues ?? []
  const [first] = issues.flatMap((issue) => invalidWords(issue, 'query'))
  expect(`${first?.field}: ${first?.message}`).toBe(expected)
})

test('each field that is not known is named, as a field of a body', () => {
  const issues = schema.safeParse({ happened: true, foo: 1, bar: 2 }).error?.issues ?? []
  expect(issues.flatMap((issue) => invalidWords(issue, 'json')).map(({ field }) => field)).toEqual(['foo', 'bar'])
  expect(issues.flatMap((issue) => invalidWords(issue, 'json'))[0]?.message).toContain('no such field')
})
