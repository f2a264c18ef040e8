import type { Json } from '../contract/message.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { isPersonal } from './is-personal.ts'

export const REDACTED = '[REDACTED]'

/** A hash of the arguments that does not depend on personal fields. */
export function inputHash(value: Json): string {
  return sha256(canonicalJson(redact(value)))
}

/**
 * A copy with personal fields redacted and other texts passed through `onText`; not recursive, because a model may nest
 * deeply.
 */
export function redact(value: Json, onText = (text: string): string => text): Json {
  const holder = { value }
  const open: Record<string, Json>[] = [holder]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [name, item] of Object.entries(node)) {
      if (isPersonal(name, item)) node[name] = REDACTED
      else if (typeof item === 'string') node[name] = onText(item)
      else if (typeof item === 'object' && item !== null) {
        const copy = isList(item) ? [...item] : { ...item }
        node[name] = copy
        open.push(copy as Record<string, Json>)
      }
    }
  }
  return holder.value
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
