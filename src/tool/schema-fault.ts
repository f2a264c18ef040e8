import { isObject, isStringArray, type UnknownRecord } from '../lib/type-guards.ts'

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']
const ONE_SCHEMA = ['items', 'additionalItems', 'additionalProperties', 'contains', 'propertyNames']
const SCHEMA_LISTS = ['prefixItems', 'anyOf', 'oneOf', 'allOf']
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
/** Keywords that the model would see but nothing would check. */
const UNENFORCED = [
  ...'not if then else dependencies dependentSchemas dependentRequired'.split(' '),
  'unevaluatedItems',
  'unevaluatedProperties',
]

const LOCAL_REF = /^#\/(\$defs|definitions)\/([^/]+)$/

/** What is wrong with the JSON Schema of a tool's arguments, without loading a schema library. */
export function schemaFault(root: unknown): string | undefined {
  if (!isObject(root) || root['type'] !== 'object') return 'it must be a Zod 4 schema or JSON Schema with type "object"'
  return faultAt(root, '#', root)
}

function faultAt(schema: unknown, at: string, root: UnknownRecord): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at} must be a schema`
  return ownFault(schema, at) ?? refFault(schema['$ref'], at, root) ?? faultBelow(schema, at, root)
}

function ownFault(schema: UnknownRecord, at: string): string | undefined {
  const unenforced = UNENFORCED.find((key) => schema[key] !== undefined)
  if (unenforced !== undefined) return `${at} uses "${unenforced}", which cannot be enforced`
  const { type, required, enum: choices, pattern } = schema
  if (type !== undefined && ![type].flat().every((word) => TYPES.includes(word))) {
    return `${at} has the unknown type ${JSON.stringify(type)}`
  }
  if (required !== undefined && !isStringArray(required)) return `${at}/required must be a list of names`
  if (choices !== undefined && !Array.isArray(choices)) return `${at}/enum must be a list`
  if (pattern !== undefined && !isPattern(pattern)) return `${at}/pattern is not a regular expression`
  const strange = [...NUMBERS, ...COUNTS].find((key) => schema[key] !== undefined && typeof schema[key] !== 'number')
  return strange === undefined ? undefined : `${at}/${strange} must be a number`
}

function refFault(ref: unknown, at: string, root: UnknownRecord): string | undefined {
  if (ref === undefined || ref === '#') return undefined
  const [, place, name] = typeof ref === 'string' ? (LOCAL_REF.exec(ref) ?? []) : []
  const places = place === undefined ? undefined : root[place]
  const key = name?.replaceAll('~1', '/').replaceAll('~0', '~')
  const found = isObject(places) && key !== undefined && Object.hasOwn(places, key)
  return found ? undefined : `${at} refers to ${JSON.stringify(ref)}, which is not in its $defs`
}

function faultBelow(schema: UnknownRecord, at: string, root: UnknownRecord): string | undefined {
  for (const [place, below] of subschemas(schema)) {
    const fault = below === undefined ? `${at}/${place} has the wrong form` : faultAt(below, `${at}/${place}`, root)
    if (fault !== undefined) return fault
  }
  return undefined
}

function* subschemas(schema: UnknownRecord): Generator<readonly [place: string, below: unknown]> {
  for (const [key, value] of Object.entries(schema)) {
    // Before 2020 a list under `items` meant what `prefixItems` means now.
    const isList = SCHEMA_LISTS.includes(key) || (key === 'items' && Array.isArray(value))
    if (isList) yield* Array.isArray(value) ? value.map((one, n) => [`${key}/${n}`, one] as const) : [[key, undefined]]
    else if (SCHEMA_MAPS.includes(key)) {
      yield* isObject(value)
        ? Object.entries(value).map(([n, one]) => [`${key}/${n}`, one] as const)
        : [[key, undefined]]
    } else if (ONE_SCHEMA.includes(key)) yield [key, value]
  }
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value) instanceof RegExp
  } catch {
    return false
  }
}
