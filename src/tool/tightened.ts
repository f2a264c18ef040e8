type UnknownRecord = Record<string, unknown>

/**
 * Adds to a JSON Schema what Zod's converter would otherwise not check: required fields without a schema, implied types
 * of objects and arrays, lengths of arrays without `items`.
 */
export function tightened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tightened)
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, isData(key) ? part : inside(key, part)]),
  )
  if (!('type' in schema) && !('$ref' in schema)) {
    if ('properties' in schema || 'required' in schema) schema['type'] = 'object'
    else if ('items' in schema || 'prefixItems' in schema) schema['type'] = 'array'
  }
  if (Array.isArray(schema['required'])) {
    const unnamed = Object.fromEntries((schema['required'] as string[]).map((name) => [name, true]))
    schema['properties'] = { ...unnamed, ...(schema['properties'] as UnknownRecord | undefined) }
  }
  if (schema['type'] === 'array' && !('items' in schema) && !('prefixItems' in schema)) schema['items'] = true
  return schema
}

/** Keywords that contain values, not schemas. */
const isData = (key: string): boolean => ['default', 'enum', 'const', 'examples', 'required'].includes(key)

/** Maps contain field names, which may be "properties" or "required" too. */
function inside(key: string, part: unknown): unknown {
  const isMap = ['properties', 'patternProperties', '$defs', 'definitions'].includes(key)
  if (!isMap || typeof part !== 'object' || part === null) return tightened(part)
  return Object.fromEntries(Object.entries(part).map(([name, schema]) => [name, tightened(schema)]))
}
