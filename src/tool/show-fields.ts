import type { Json, JsonObject } from '../contract/message.ts'
import type { FieldsShown } from '../contract/shown.ts'

/** Deeper values are written as JSON. */
const LEVELS = 6
const SHOWN_ROWS = 200

/** Arguments as a table. */
export function fieldsOf(args: JsonObject): FieldsShown {
  const rows: { name: string; value: string }[] = []
  for (const row of leavesOf(args, '', 0)) {
    if (rows.length === SHOWN_ROWS)
      return { kind: 'fields', rows, note: `Only the first ${SHOWN_ROWS} fields are shown.` }
    rows.push(row)
  }
  return { kind: 'fields', rows }
}

function* leavesOf(value: Json, name: string, level: number): Iterable<{ name: string; value: string }> {
  if (value === null || typeof value !== 'object' || level === LEVELS || Object.keys(value).length === 0)
    yield { name, value: typeof value === 'string' ? value : JSON.stringify(value) }
  else
    for (const [key, inner] of Object.entries(value)) {
      const dotted = name === '' ? key : `${name}.${key}`
      yield* leavesOf(inner, Array.isArray(value) ? `${name}[${key}]` : dotted, level + 1)
    }
}
