/** The words of JSON Schema 2020-12 that our description uses, and no others. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly pattern?: string
  readonly format?: string
}

const WORDS = new Set(
  (
    '$ref type properties required additionalProperties propertyNames items enum const anyOf oneOf pattern format ' +
    'description minLength maxLength maxItems minimum maximum'
  ).split(' '),
)
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

export type Resolve = (ref: string) => JsonSchema | undefined

export const typesOf = ({ type }: JsonSchema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

const choicesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => [...(anyOf ?? []), ...(oneOf ?? [])]

/** What is not JSON Schema as we use it, in sentences. */
export function schemaFaults(schema: JsonSchema | boolean | undefined, resolve: Resolve, at: string): string[] {
  if (typeof schema === 'boolean') return []
  if (!isObject(schema)) return [`${at} is no schema`]
  const { $ref, properties = {}, required = [], pattern, additionalProperties, propertyNames, items } = schema
  const inner: [string, JsonSchema | boolean | undefined][] = [
    ...Object.entries(properties),
    ...Object.entries({ additionalProperties, propertyNames, items }).filter(([, one]) => one !== undefined),
    ...choicesOf(schema).map((one, i): [string, JsonSchema] => [`choice ${i}`, one]),
  ]
  return [
    ...Object.keys(schema).flatMap((word) => (WORDS.has(word) ? [] : [`${at} uses ${word}`])),
    ...typesOf(schema).flatMap((type) => (TYPES.has(type) ? [] : [`${at} has the type ${type}`])),
    ...($ref === undefined || resolve($ref) ? [] : [`${at}: ${$ref} is not there`]),
    ...(pattern === undefined || isPattern(pattern) ? [] : [`${at} has a bad pattern`]),
    ...required.flatMap((name) => (name in properties ? [] : [`${at} requires ${name}, which it has not`])),
    ...inner.flatMap(([name, one]) => schemaFaults(one, resolve, `${at}.${name}`)),
  ]
}

/** How a value does not fit, in sentences; a field that is not described does not fit either. */
export function misfits(value: unknown, schema: JsonSchema, resolve: Resolve, at = 'answer'): string[] {
  if (schema.$ref !== undefined) {
    const target = resolve(schema.$ref)
    return target ? misfits(value, target, resolve, at) : [`${at}: ${schema.$ref} is not there`]
  }
  const choices = choicesOf(schema)
  if (choices.length > 0 && !choices.some((one) => misfits(value, one, resolve, at).length === 0))
    return [`${at} fits none of ${choices.length}: ${JSON.stringify(value)}`]
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return [`${at} should be ${types.join(' or ')}, not ${JSON.stringify(value)}`]
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is not one of its words`]
  if ('const' in schema && schema.const !== value) return [`${at} is not ${JSON.stringify(schema.const)}`]
  if (schema.format === 'date-time' && typeof value === 'string' && Number.isNaN(Date.parse(value)))
    return [`${at} is no time`]
  const { items } = schema
  if (Array.isArray(value) && items) return value.flatMap((one, i) => misfits(one, items, resolve, `${at}[${i}]`))
  return isObject(value) ? fieldMisfits(value, schema, resolve, at) : []
}

function fieldMisfits(value: object, schema: JsonSchema, resolve: Resolve, at: string): string[] {
  const { properties, additionalProperties, required = [] } = schema
  if (!properties && additionalProperties === undefined) return []
  return [
    ...required.flatMap((name) => (name in value ? [] : [`${at}.${name} is missing`])),
    ...Object.entries(value).flatMap(([name, one]) => {
      const described = properties?.[name] ?? (isObject(additionalProperties) ? additionalProperties : undefined)
      return described ? misfits(one, described, resolve, `${at}.${name}`) : [`${at}.${name} is not described`]
    }),
  ]
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
