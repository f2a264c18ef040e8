import type { Json, JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import { atPlace, PLACE } from './places.ts'

interface Filling {
  readonly payload: JsonObject
  /** characters that may be inserted in all */
  readonly most: number
}

/** Puts what came into the texts of an input; a text that is one place alone becomes the value itself. */
export function fillInput(template: JsonObject, { payload, most }: Filling): JsonObject {
  let left = most

  function placed(path: string): { readonly value: Json; readonly text: string } {
    const value = atPlace(payload, path) ?? null
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    left -= text.length
    if (left < 0)
      throw invalidField('payload', `makes an input of more than ${most} characters (limit INVOCATION_CHARS)`)
    return { value, text }
  }

  function filled(value: Json): Json {
    if (Array.isArray(value)) return value.map((one: Json) => filled(one))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
    if (typeof value !== 'string') return value
    const [only] = value.matchAll(PLACE)
    if (only?.[0] === value) return placed(only[1] ?? '').value
    return value.replaceAll(PLACE, (_, path: string) => placed(path).text)
  }

  return filled(template) as JsonObject
}
