import { nestsDeeper } from './nesting.ts'
import { parseObject } from './parse-object.ts'

const FENCE = /^```(?:json)?[ \t]*\n/i

/** The JSON object that an answer is, perhaps in a code block; undefined if it is anything else. */
export function readAnswer(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim()
  const opening = FENCE.exec(trimmed)
  const inner = opening && trimmed.endsWith('```') ? trimmed.slice(opening[0].length, -3) : trimmed
  return nestsDeeper(inner) ? undefined : parseObject(inner)
}
