import type { JsonObject } from '../../contract/message.ts'
import { nestsDeeper } from '../../lib/nesting.ts'
import { parseObject } from '../../lib/parse-object.ts'

/** Empty arguments mean `{}`; anything but a JSON object of limited depth is undefined. */
export function parseArgs(raw: string): JsonObject | undefined {
  if (raw.trim() === '') return {}
  if (nestsDeeper(raw)) return undefined
  return parseObject(raw) as JsonObject | undefined
}
