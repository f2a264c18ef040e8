import { Problem } from '../../contract/problem.ts'

/** An object that was typed as JSON. `what` begins the sentence that says it is none. */
export function jsonObject(text: string, what: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // told below
  }
  throw new Problem('VALIDATION_ERROR', `${what} must be a JSON object, such as '{"name": "value"}'.`)
}
