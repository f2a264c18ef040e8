import type { JsonObject } from '../../contract/message.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import { isDeeper } from '../../lib/nesting.ts'
import { isObject } from '../../lib/type-guards.ts'

const NAME_CHARS = 200
const MOST_LEVELS = 60

/** A definition as a server lists it, with its hash or with what is wrong with it. */
export type Offer =
  | { readonly name: string; readonly wire: JsonObject; readonly hash: string }
  | { readonly name: string; readonly fault: string }

/** The hash covers the whole object, including unknown fields, so that any change is noticed. */
export function readOffer(listed: unknown, definitionBytes: number): Offer {
  if (!isObject(listed) || typeof listed['name'] !== 'string' || listed['name'] === '') {
    return { name: '(without a name)', fault: 'it has no name' }
  }
  const { name } = listed
  if (name.length > NAME_CHARS) {
    return { name: name.slice(0, NAME_CHARS).toWellFormed(), fault: `its name has more than ${NAME_CHARS} characters` }
  }
  if (isDeeper(listed, MOST_LEVELS)) return { name, fault: 'its definition is nested too deeply' }
  const text = canonicalJson(listed)
  if (Buffer.byteLength(text) > definitionBytes) {
    return { name, fault: `its definition has more than ${definitionBytes} bytes` }
  }
  return { name, wire: listed as JsonObject, hash: sha256(text) }
}
