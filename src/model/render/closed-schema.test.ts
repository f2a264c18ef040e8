import { expect, test } from 'vitest'
import type { JsonSchema } from '../../contract/tool.ts'
import { isClosedSchema } from './closed-schema.ts'

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, {}]))
const inside = (schema: object): JsonSchema => ({ type: 'object', properties: { a: { type: 'array', items: schema } } })

test.each<[string, JsonSchema, boolean]>([
  ['one that names its fields', { type: 'object', properties: { a: { type: 'string' } } }, true],
  ['one that says so', { type: 'object', properties: {}, additionalProperties: false }, true],
  ['one with any fields', { type: 'object' }, false],
  ['one with more fields', { type: 'object', properties: {}, additionalProperties: { type: 'string' } }, false],
  ['one with fields by pattern', { type: 'object', properties: {}, patternProperties: { a: {} } }, false],
  ['one that refers to itself', inside({ $ref: '#' }), false],
  ['one with an open one inside', inside({ type: 'object' }), false],
  ['one with many fields that may be missing', { type: 'object', properties: fields(11) }, false],
  [
    'one with many that are required',
    { type: 'object', properties: fields(11), required: Object.keys(fields(11)) },
    true,
  ],
])('%s is closed or not', (_, schema, isClosed) => expect(isClosedSchema(schema)).toBe(isClosed))
