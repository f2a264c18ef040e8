import type { JsonObject } from '../../contract/message.ts'
import { nestsDeeper } from '../../lib/nesting.ts'
import { objectIn } from '../../lib/object-in.ts'

/** Empty arguments mean `{}`. Anything that is not a JSON object, or too deep a one, does not parse. */
export function parseArgs(raw: string): JsonObject | undefined {
  if (raw.trim() === '') return {}
  if (nestsDeeper(raw)) return undefined
  return objectIn(raw) as JsonObject | undefined
}
