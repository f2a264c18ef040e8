import type { JsonObject } from '../../contract/message.ts'

/** Deeper than any tool needs, and far from where writing it as JSON again would exhaust the stack. */
const DEEPEST = 200

/** Empty arguments mean `{}`. Anything that is not a JSON object, or too deep a one, does not parse. */
export function parseArgs(raw: string): JsonObject | undefined {
  if (raw.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(raw)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    return isDeeper(value, DEEPEST) ? undefined : (value as JsonObject)
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
