import type { Json } from './message.ts'

/** A value whose texts and names are redacted. */
export function redactedJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((one: Json) => redactedJson(one, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), redactedJson(one, redact)]))
}
