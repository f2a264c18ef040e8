import type { JsonObject } from '../../contract/message.ts'
import { nestsDeeper } from '../../lib/nesting.ts'

/** Empty arguments mean `{}`. Anything that is not a JSON object, or too deep a one, does not parse. */
export function parseArgs(raw: string): JsonObject | undefined {
  if (raw.trim() === '') return {}
  if (nestsDeeper(raw)) return undefined
  try {
    const value: unknown = JSON.parse(raw)
    return value === null || typeof value !== 'object' || Array.isArray(value) ? undefined : (value as JsonObject)
  } catch {
    return undefined
  }
}
