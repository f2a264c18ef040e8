import { Problem } from '../../contract/problem.ts'
import { objectIn } from '../../lib/object-in.ts'

/** An object that was typed as JSON. `what` begins the sentence that says it is none. */
export function jsonObject(text: string, what: string): object {
  const value = objectIn(text)
  if (!value) throw new Problem('VALIDATION_ERROR', `${what} must be a JSON object, such as '{"name": "value"}'.`)
  return value
}
