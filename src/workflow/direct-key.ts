import type { JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { keyOf } from '../lib/key-of.ts'

const WINDOW_MS = 5 * 60 * 1000
const KEY = /^[!-~]{1,200}$/

interface Direct {
  readonly tenant: string
  readonly userId: string
  readonly workflowId: string
  readonly input: JsonObject
  /** by whoever asks */
  readonly given: string | undefined
  readonly at: number
}

/** The key of a run that a person starts: the one they give, or one that is the same for the same within five minutes. */
export function directKey({ tenant, userId, workflowId, input, given, at }: Direct): string {
  if (given !== undefined) {
    if (typeof given !== 'string' || !KEY.test(given))
      throw invalidField('key', 'must be 1 to 200 letters, digits and signs, without spaces')
    return sha256(keyOf('person', tenant, userId, given))
  }
  const window = Math.floor(at / WINDOW_MS)
  return sha256(canonicalJson({ workflowId, tenant, userId, input, origin: 'person', window }))
}

/** What was erased cannot be compared. */
export const sameInput = (stored: JsonObject | undefined, wanted: JsonObject): boolean =>
  stored === undefined || canonicalJson(stored) === canonicalJson(wanted)
