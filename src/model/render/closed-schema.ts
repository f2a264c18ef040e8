import type { JsonSchema } from '../../contract/tool.ts'
import { isObject } from '../../lib/type-guards.ts'

/** Fewer than Anthropic allows in all schemas of a request. */
const MOST_OPTIONAL = 10

/** Whether no object in a schema may have fields that it does not name, few are optional, and nothing refers to itself. */
export function isClosedSchema(schema: JsonSchema): boolean {
  let optional = 0
  function isClosed(part: unknown): boolean {
    if (Array.isArray(part)) return part.every(isClosed)
    if (!isObject(part)) return true
    if ('$ref' in part || 'patternProperties' in part || (part['additionalProperties'] ?? false) !== false) return false
    const { type, properties, required = [] } = part
    if (type === 'object' && !isObject(properties)) return false
    if (isObject(properties) && Array.isArray(required))
      optional += Object.keys(properties).filter((name) => !required.includes(name)).length
    return optional <= MOST_OPTIONAL && Object.values(part).every(isClosed)
  }
  return isClosed(schema)
}
