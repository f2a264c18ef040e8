import type { JsonSchema } from '../contract/tool.ts'
import { isObject, isStringArray, type UnknownRecord } from '../lib/type-guards.ts'

/** The fields of what a trigger gives, and their types. */
const GIVEN: Readonly<Record<string, string>> = { event: 'string', payload: 'object', timestamp: 'string' }
const HINT = 'a workflow that a trigger starts is given {event, payload, timestamp}'

/**
 * Why a workflow could never take what a trigger gives it, undefined if it could. What a payload contains is known only
 * when it comes, and the rest of a schema is checked then.
 */
export function triggerInputFault(schema: JsonSchema, event: string): string | undefined {
  const { required, properties = {}, additionalProperties, patternProperties } = schema as UnknownRecord
  const missing = isStringArray(required) ? required.find((name) => !Object.hasOwn(GIVEN, name)) : undefined
  if (missing !== undefined) return `cannot be started by a trigger: its input needs "${shown(missing)}"; ${HINT}`
  const known = isObject(properties) ? properties : {}
  for (const [name, type] of Object.entries(GIVEN)) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined
    const isRefused = additionalProperties === false && patternProperties === undefined && field === undefined
    if (isRefused || field === false) return `cannot be started by a trigger: its input has no "${name}"; ${HINT}`
    if (!isObject(field)) continue
    if (!takesType(field['type'], type))
      return `cannot be started by a trigger: "${name}" of its input is no ${type}; ${HINT}`
    if (name === 'event' && !takesValue(field, event))
      return `cannot be started by a trigger: its input takes no "${event}"`
  }
  return undefined
}

const takesType = (said: unknown, type: string): boolean =>
  said === undefined || said === type || (Array.isArray(said) && said.includes(type))

function takesValue({ const: only, enum: some }: UnknownRecord, value: string): boolean {
  return (only === undefined || only === value) && (!Array.isArray(some) || some.includes(value))
}

const shown = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name)
