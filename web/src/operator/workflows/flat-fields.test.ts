import { expect, test } from 'vitest'
import { flatFields } from './flat-fields.ts'

const schema = (of: object) => ({ type: 'object', properties: { one: of }, required: ['one'] })

test('an object of texts, numbers, truths and choices has a field for each', () => {
  const fields = flatFields({
    type: 'object',
    properties: {
      file: { type: 'string', title: 'File', description: 'Where it is' },
      width: { type: 'integer', minimum: 1, default: 100 },
      ratio: { type: 'number' },
      how: { enum: ['fit', 3] },
      keep: { type: 'boolean' },
    },
    required: ['file'],
  })
  expect(fields).toEqual([
    { path: 'file', label: 'File', needed: true, help: 'Where it is' },
    { path: 'width', label: 'width', needed: false, kind: 'number', min: 1, otherwise: 100 },
    { path: 'ratio', label: 'ratio', needed: false, kind: 'number', step: 'any' },
    {
      path: 'how',
      label: 'how',
      needed: false,
      kind: 'pick',
      options: [
        [undefined, 'not set'],
        ['fit', 'fit'],
        [3, '3'],
      ],
    },
    {
      path: 'keep',
      label: 'keep',
      needed: false,
      kind: 'pick',
      options: [
        [undefined, 'not set'],
        [true, 'yes'],
        [false, 'no'],
      ],
    },
  ])
})

test.each([
  ['no properties', { type: 'object' }],
  ['a list', schema({ type: 'array', items: { type: 'string' } })],
  ['an object in it', schema({ type: 'object' })],
  ['several types', schema({ type: ['string', 'null'] })],
  ['alternatives', schema({ type: 'string', anyOf: [{ const: 'a' }] })],
  ['alternatives of all of it', { ...schema({ type: 'string' }), oneOf: [{ required: ['one'] }] }],
  ['a name that is a path', { type: 'object', properties: { 'a.b': { type: 'string' } } }],
])('one with %s is JSON', (_, of) => {
  expect(flatFields(of)).toBeUndefined()
})
