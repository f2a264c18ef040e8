import { expect, test } from 'vitest'
import { readForm, selectedIn, fieldsOf, readField } from './question-fields.ts'

const schema = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string', title: 'Your name', description: 'as on the card' },
    size: { type: 'integer', default: 3 },
    weight: { type: 'number' },
    urgent: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['red', 'green'] },
    hero: {
      type: 'string',
      oneOf: [
        { const: 'h1', title: 'One' },
        { const: 'h2', title: 'Two' },
      ],
    },
    fish: { type: 'array', items: { anyOf: [{ const: 'f1', title: 'Tuna' }] }, default: ['f1'] },
  },
}
const fields = fieldsOf(schema)
const filled = (values: Record<string, string>): Map<string, string> => new Map(Object.entries(values))

test('a schema becomes fields with labels, hints, first values and what is needed', () => {
  expect(fields).toMatchObject([
    { name: 'name', label: 'Your name', hint: 'as on the card', kind: 'text', required: true },
    { name: 'size', kind: 'number', integer: true, defaultText: '3', required: true },
    { name: 'weight', kind: 'number', integer: false, required: false },
    { name: 'urgent', kind: 'boolean', defaultText: 'true' },
    {
      name: 'colour',
      kind: 'choice',
      choices: [
        { text: 'r', label: 'red', value: 'r' },
        { text: 'g', label: 'green', value: 'g' },
      ],
    },
    {
      name: 'hero',
      kind: 'choice',
      choices: [
        { text: 'h1', label: 'One', value: 'h1' },
        { text: 'h2', label: 'Two', value: 'h2' },
      ],
    },
    { name: 'fish', kind: 'many', choices: [{ text: 'f1', label: 'Tuna' }], defaultText: '["f1"]' },
  ])
})

test('what was filled in is given with its types, and what was left empty is left out', () => {
  const answer = readForm(
    fields,
    filled({ name: 'Ada', size: '4', urgent: 'false', weight: '', colour: 'g', fish: '["f1"]' }),
  )
  expect(answer).toEqual({ content: { name: 'Ada', size: 4, urgent: false, colour: 'g', fish: ['f1'] } })
})

test.each([
  [{ size: '1' }, 'name'],
  [{ name: '  ', size: '1' }, 'name'],
  [{ name: 'Ada', size: '1.5' }, 'size'],
  [{ name: 'Ada', size: 'many' }, 'size'],
  [{ name: 'Ada', size: '1', weight: 'heavy' }, 'weight'],
])('%j is not an answer: it names the field %s', (values, field) => {
  expect(readForm(fields, filled(values as Record<string, string>))).toMatchObject({ field })
})

test.each([undefined, null, 'text', [], { properties: 7 }, { properties: { a: 'odd' }, required: 'a' }])(
  'a schema like %j, which strangers wrote, breaks nothing',
  (odd) => {
    expect(Array.isArray(fieldsOf(odd as never))).toBe(true)
  },
)

test.each(['', 'text', '7', '{"a":1}', '[1,null]'])('a list filled in as %j chooses nothing', (text) => {
  expect(selectedIn(text)).toEqual([])
})

test('what is chosen is of the kind that the schema lists, and nothing else can be chosen', () => {
  const [rank, some] = fieldsOf({
    properties: {
      rank: { type: 'integer', enum: [1, 2], default: 7 },
      some: { type: 'array', items: { enum: [1, 2] }, default: [2, 7] },
    },
  })
  if (!rank || !some) throw new Error('a field is missing')
  expect([rank.defaultText, some.defaultText]).toEqual(['', '["2"]'])
  expect(readField(rank, '2')).toEqual({ value: 2 })
  expect(readField(rank, '3')).toEqual({ problem: 'rank must be one of: 1, 2.' })
  expect(readField(some, '["2","1","2"]')).toEqual({ value: [1, 2] })
  expect(readField(some, '["3"]')).toEqual({ problem: 'some must be some of: 1, 2.' })
})

test.each([
  [{ type: 'string', minLength: 2 }, '😀', 'x must have at least 2 characters.'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'x must have at most 2 characters.'],
  [{ type: 'string', format: 'email' }, 'ada', 'x must be a mail address.'],
  [{ type: 'string', format: 'email' }, 'ada@example.org', undefined],
  [{ type: 'string', format: 'uri' }, 'example.org', 'x must be an address such as https://example.org.'],
  [{ type: 'string', format: 'date' }, '1.2.2026', 'x must be a date such as 2026-11-30.'],
  [{ type: 'string', format: 'date-time' }, '2026-11-30T12:00:00Z', undefined],
  [{ type: 'string', format: 'constructor' }, 'a', undefined],
  [{ type: 'number', minimum: 0.5 }, '0', 'x must be at least 0.5.'],
  [{ type: 'integer', maximum: 9 }, '10', 'x must be at most 9.'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }, '["a"]', 'x must have at least 2 choices.'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, '["a","b"]', 'x must have at most 1 choice.'],
  [{ type: 'string', maxLength: '2' }, 'abc', undefined],
  [{ type: 'array', items: { enum: ['a'] }, minItems: 1 }, '[]', undefined],
])('limits of a field hold: %j filled in as %s', (of, text, problem) => {
  const [field] = fieldsOf({ properties: { x: of } })
  expect(field && readField(field, text).problem).toBe(problem)
})
