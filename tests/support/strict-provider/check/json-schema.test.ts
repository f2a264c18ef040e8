import { expect, test } from 'vitest'
import { schemaFaults } from './json-schema.ts'

test('takes schemas', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: ['string', 'null'], minLength: 1, pattern: '^\\w+$' },
      list: { type: 'array', items: { $ref: '#/$defs/one' } },
      any: true,
    },
    required: ['name'],
    additionalProperties: false,
    $defs: { one: { anyOf: [{ const: 1 }, { enum: ['a'] }] } },
  }
  expect(schemaFaults(schema)).toEqual([])
})

test.each([
  [{ type: 'text' }, '$.type is not valid'],
  [{ type: [] }, '$.type is not valid'],
  [{ required: 'name' }, '$.required is not valid'],
  [{ required: ['a', 'a'] }, '$.required is not valid'],
  [{ enum: [] }, '$.enum is not valid'],
  [{ pattern: '(' }, '$.pattern is not valid'],
  [{ minLength: -1 }, '$.minLength is not valid'],
  [{ minimum: '1' }, '$.minimum is not valid'],
  [{ anyOf: {} }, '$.anyOf is not valid'],
  [{ properties: [] }, '$.properties is not valid'],
  [{ description: 1 }, '$.description is not valid'],
  [{ properties: { a: 'string' } }, '$.properties.a is not a schema'],
  [{ items: { anyOf: [{ type: 'int' }] } }, '$.items.anyOf.0.type is not valid'],
])('refuses %j', (schema, fault) => {
  expect(schemaFaults(schema)).toEqual([fault])
})
