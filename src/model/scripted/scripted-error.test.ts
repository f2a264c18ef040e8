import { expect, it } from 'vitest'
import { errorOf, ScriptedError } from './scripted-error.ts'

it.each([
  [400, false],
  [401, false],
  [404, false],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [529, true],
])('is for status %i retryable: %s', (status, isRetryable) => {
  expect(errorOf({ kind: 'error', status })).toMatchObject({ statusCode: status, isRetryable, responseHeaders: {} })
})

it('says when to come back in the header providers use', () => {
  const error = errorOf({ kind: 'error', status: 429, retryAfterMs: 1500 })
  expect(error.responseHeaders).toEqual({ 'retry-after-ms': '1500' })
})

it('is a retryable 529 when overloaded', () => {
  const error = errorOf({ kind: 'overloaded' })
  expect(error).toBeInstanceOf(ScriptedError)
  expect(error).toMatchObject({ name: 'ScriptedError', statusCode: 529, isRetryable: true })
})
