import { inspect } from 'node:util'
import { expect } from 'vitest'
import { Problem } from '../../../../src/contract/problem.ts'

/** What a call that must fail says: a Problem with a code and a sentence a person can use, and no stack in it. */
export async function problemOf(doing: PromiseLike<unknown> | (() => unknown)): Promise<Problem> {
  let error: unknown
  try {
    const result = await (typeof doing === 'function' ? doing() : doing)
    error = `no error but ${inspect(result)}`
  } catch (thrown) {
    error = thrown
  }
  if (!(error instanceof Problem)) throw new Error(`expected a Problem, got ${inspect(error)}`)
  expect(error.message).toMatch(/^\S.{15,}[.?]$/s)
  expect(error.message).not.toMatch(/\n\s+at |node:internal|file:\/\//)
  return error
}
