import { isObject, type UnknownRecord } from '../../../lib/type-guards.ts'
import { withoutSlashes } from '../../../lib/without-slashes.ts'

/** A path below the address of an engine. */
export const addressOf = (base: string, path: string): URL => new URL(`${withoutSlashes(base)}${path}`)

/** The objects in a list of an answer; undefined if there is no such list. */
export function recordsIn(answer: unknown, list: string): UnknownRecord[] | undefined {
  const found = isObject(answer) ? answer[list] : undefined
  return Array.isArray(found) ? found.filter(isObject) : undefined
}
