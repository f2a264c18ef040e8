import type { Dice } from '../crash/dice.ts'
import { typesOf, type JsonSchema, type Resolve } from '../security/support/json-schema.ts'

/** A value that fits a schema, as far as that can be told from it. */
export function fitting(dice: Dice, schema: JsonSchema, resolve: Resolve): unknown {
  if (schema.$ref !== undefined) return fitting(dice, resolve(schema.$ref) ?? {}, resolve)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fitting(dice, dice.oneOf(choices), resolve)
  if (schema.enum) return dice.oneOf(schema.enum)
  const types = typesOf(schema)
  switch (types.length > 0 ? dice.oneOf(types) : 'object') {
    case 'string':
      return schema.format === 'date-time' ? '2999-01-01T00:00:00Z' : dice.oneOf(WORDS)
    case 'integer':
    case 'number':
      return dice.oneOf([0, 1, 2, 3, 10, 100])
    case 'boolean':
      return dice.between(0, 1) === 1
    case 'null':
      return null
    case 'array':
      return [fitting(dice, schema.items ?? {}, resolve)]
    default:
      return object(dice, schema, resolve)
  }
}

/** Where only some words mean something, these do. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  model: 'scripted',
  models: ['scripted'],
  workspaceId: 'system',
  projectId: 'system',
  scopes: ['chat:read'],
  role: 'user',
  mediaType: 'text/plain',
  data: 'aGVsbG8=',
  limits: { maxToolCalls: 1, totalMs: 1000 },
}

const WORDS = ['hello', 'a', 'scripted', 'system', 'chat:read', 'Ünïcode 🌍', 'two\nlines']

function object(dice: Dice, schema: JsonSchema, resolve: Resolve): object {
  const { required = [], properties = {} } = schema
  const taken = Object.entries(properties).filter(([name]) => required.includes(name) || dice.between(0, 3) === 0)
  return Object.fromEntries(taken.map(([name, inner]) => [name, BY_NAME[name] ?? fitting(dice, inner, resolve)]))
}

/** JSON texts of values nobody expects; some cannot be made with JSON.stringify. */
const ODD_JSON = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e308',
  '1e999',
  '-1e999',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00 \\ud83d"',
  '"\\uffff\\u202e"',
  '"../../etc/passwd"',
  '"\' OR 1=1 --"',
  '"%00%2e%2e%2f"',
  '"${7*7}{{message}}"',
  '[]',
  '{}',
  '[[[]]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"valueOf":2,"length":-1}',
  '{"then":1}',
]

function oddJson(dice: Dice): string {
  switch (dice.between(0, 12)) {
    case 0:
      return JSON.stringify('x'.repeat(dice.oneOf([201, 2001, 100_001, 1_000_001])))
    case 1:
      return `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    case 2:
      return `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    case 3:
      return `[${'0,'.repeat(5000)}0]`
    default:
      return dice.oneOf(ODD_JSON)
  }
}

const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', 'x'.repeat(5000), '\\u0000', '🌍']

/** A JSON text that is almost `value`: one field is odd, gone, added or said twice. */
export function almost(dice: Dice, value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return oddJson(dice)
  const fields = Object.entries(value).map(([name, inner]) => [JSON.stringify(name), JSON.stringify(inner)] as const)
  const at = dice.between(0, Math.max(0, fields.length - 1))
  const chosen = fields[at] ?? ['"x"', '1']
  switch (dice.between(0, 4)) {
    case 0:
      return braces(fields.toSpliced(at, 1))
    case 1:
      return braces([...fields, [`"${dice.oneOf(ODD_KEYS)}"`, oddJson(dice)]])
    case 2:
      return braces([...fields, [chosen[0], oddJson(dice)]])
    default:
      return braces(fields.toSpliced(at, 1, [chosen[0], oddJson(dice)]))
  }
}

const braces = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields.map(([name, inner]) => `${name}:${inner}`).join(',')}}`
