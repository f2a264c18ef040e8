import type { JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import { hasEndlessNumber } from '../lib/endless-number.ts'
import { isWebAddress } from '../lib/is-web-address.ts'
import { isDeeper } from '../lib/nesting.ts'
import { isObject } from '../lib/type-guards.ts'

const MOST_URL_CHARS = 1000

/** An object that has no other fields than these. */
export function readFields(field: string, given: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isObject(given)) throw invalidField(field, `must be an object with ${known.join(', ')}`)
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw invalidField(`${field}.${name}`, `is not known; there are ${known.join(', ')}`)
  return given
}

/** Why a value from outside cannot be kept as JSON, undefined if it can. */
export function jsonFault(given: unknown): string | undefined {
  if (isDeeper(given)) return 'is nested too deeply'
  return hasEndlessNumber(given) ? 'has a number that is too large' : undefined
}

/** What a workflow is given, or what an event says. */
export function readInput(field: string, given: unknown, most: number): JsonObject {
  if (!isObject(given)) throw invalidField(field, 'must be a JSON object')
  const fault = jsonFault(given)
  if (fault !== undefined) throw invalidField(field, fault)
  if (JSON.stringify(given).length > most)
    throw invalidField(field, `may have ${most} characters as JSON (limit INVOCATION_CHARS)`)
  return given as JsonObject
}

/** An address that others may see. */
export function readAddress(field: string, given: unknown): string {
  if (typeof given !== 'string' || given.length > MOST_URL_CHARS || !isWebAddress(given))
    throw invalidField(
      field,
      `must be an address such as https://example.org/start, without a name, password, query or #, at most ${MOST_URL_CHARS} characters`,
    )
  return given
}

/** One line of text. */
export function readLine(field: string, given: unknown, most: number): string {
  if (typeof given !== 'string' || given.length > most || !/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(given))
    throw invalidField(field, `must be a text of 1 to ${most} characters, in one line and without spaces at its ends`)
  return given
}

/** Whether two addresses are on the same scheme, host and port. */
export const isSameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin
