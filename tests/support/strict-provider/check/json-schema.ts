import { dictsOf, isDict, listOf, type Dict } from '../values.ts'

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const SCHEMAS = ['items', 'additionalProperties', 'not', 'propertyNames', 'contains', 'if', 'then', 'else']
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** What is not JSON Schema, 2020-12, in a value that should be one. */
export function schemaFaults(schema: unknown, at = '$'): string[] {
  if (typeof schema === 'boolean') return []
  if (!isDict(schema)) return [`${at} is not a schema`]
  const wrong = (word: string, isRight: (value: unknown) => boolean): string[] =>
    schema[word] === undefined || isRight(schema[word]) ? [] : [`${at}.${word} is not valid`]
  return [
    ...wrong('type', isType),
    ...wrong('required', isNames),
    ...wrong('enum', (value) => Array.isArray(value) && value.length > 0),
    ...wrong('pattern', isPattern),
    ...wrong('description', (value) => typeof value === 'string'),
    ...COUNTS.flatMap((word) => wrong(word, (value) => Number.isInteger(value) && (value as number) >= 0)),
    ...NUMBERS.flatMap((word) => wrong(word, (value) => typeof value === 'number')),
    ...LISTS.flatMap((word) => wrong(word, (value) => Array.isArray(value) && value.length > 0)),
    ...MAPS.flatMap((word) => wrong(word, isDict)),
    ...innerSchemas(schema).flatMap(([word, inner]) => schemaFaults(inner, `${at}.${word}`)),
  ]
}

/** The schemas inside a schema, each with its place. */
export function innerSchemas(schema: Dict): [string, unknown][] {
  return [
    ...SCHEMAS.flatMap((word): [string, unknown][] => (schema[word] === undefined ? [] : [[word, schema[word]]])),
    ...LISTS.flatMap((word) => listOf(schema[word]).map((inner, at): [string, unknown] => [`${word}.${at}`, inner])),
    ...MAPS.flatMap((word) =>
      dictsOf([schema[word]]).flatMap((map) =>
        Object.entries(map).map(([name, inner]): [string, unknown] => [`${word}.${name}`, inner]),
      ),
    ),
  ]
}

const isType = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((one: unknown) => TYPES.includes(one as string))
    : TYPES.includes(value as string)

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}
