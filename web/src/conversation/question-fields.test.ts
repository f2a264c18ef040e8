import { expect, test } from 'vitest'
import { answerFrom, chosenIn, fieldsOf } from './question-fields.ts'

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
    { name: 'size', kind: 'number', whole: true, first: '3', required: true },
    { name: 'weight', kind: 'number', whole: false, required: false },
    { name: 'urgent', kind: 'boolean', first: 'true' },
    {
      name: 'colour',
      kind: 'choice',
      choices: [
        { value: 'r', label: 'red' },
        { value: 'g', label: 'green' },
      ],
    },
    {
      name: 'hero',
      kind: 'choice',
      choices: [
        { value: 'h1', label: 'One' },
        { value: 'h2', label: 'Two' },
      ],
    },
    { name: 'fish', kind: 'many', choices: [{ value: 'f1', label: 'Tuna' }], first: '["f1"]' },
  ])
})

test('what was filled in is given with its types, and what was left empty is left out', () => {
  const answer = answerFrom(
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
  expect(answerFrom(fields, filled(values as Record<string, string>))).toMatchObject({ field })
})

test.each([undefined, null, 'text', [], { properties: 7 }, { properties: { a: 'odd' }, required: 'a' }])(
  'a schema like %j, which strangers wrote, breaks nothing',
  (odd) => {
    expect(Array.isArray(fieldsOf(odd as never))).toBe(true)
  },
)

test.each(['', 'text', '7', '{"a":1}', '[1,null]'])('a list filled in as %j chooses nothing', (text) => {
  expect(chosenIn(text)).toEqual([])
})
