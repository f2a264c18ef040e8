import { isObject, type UnknownRecord } from '../../lib/type-guards.ts'

const KEY = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']

/**
 * What is wrong with the arguments that a tool wants as HTTP headers too (since 2026-07-28): they must be plain fields,
 * each with a valid header name of its own, or a client must not use the tool.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  const named = headers(inputSchema)
  const proper = properHeaders(inputSchema).filter(({ name, type }) => TOKEN.test(name) && TYPES.includes(type))
  const distinct = new Set(proper.map(({ name }) => name.toLowerCase()))
  return distinct.size === named ? undefined : `it uses "${KEY}" where that is not allowed, or one header twice`
}

/** How often the keyword occurs in a schema. */
function headers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = isObject(value) && KEY in value ? 1 : 0
  return own + Object.values(value).reduce((sum: number, one: unknown) => sum + headers(one), 0)
}

/** The headers of fields that are reached through `properties` only. */
function properHeaders(schema: unknown): { name: string; type: unknown }[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : []
  return properties.filter(isObject).flatMap((field: UnknownRecord) => {
    const name = field[KEY]
    return [...(typeof name === 'string' ? [{ name, type: field['type'] }] : []), ...properHeaders(field)]
  })
}
