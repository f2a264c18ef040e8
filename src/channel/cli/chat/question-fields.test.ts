import { expect, test } from 'vitest'
import { fieldsOf, type Field } from '../../../client/index.ts'
import { fieldText, readTyped } from './question-fields.ts'

function fields(properties: object, required: string[] = []): Record<string, Field> {
  const schema = { type: 'object', properties: properties as never, required }
  return Object.fromEntries(fieldsOf(schema).map((field) => [field.name, field]))
}

test('the fields of a question are asked one by one, and what does not fit is told', () => {
  const of = {
    name: { type: 'string', title: 'Your name', description: 'as on the card' },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    news: { type: 'boolean', default: false },
    size: { type: 'string', enum: ['S', 'L'], enumNames: ['small', 'large'] },
  }
  const { name, age, news, size } = fields(of, ['name', 'age'])
  if (!name || !age || !news || !size) throw new Error('a field is missing')
  expect([name, age, news, size].map(fieldText)).toEqual([
    'Your name: as on the card (text)',
    'age (a whole number, at least 18, at most 99)',
    'news (yes or no, Enter for false)',
    'size (small, large, Enter for none)',
  ])
  expect(readTyped(name, 'Ada ')).toEqual({ value: 'Ada ' })
  expect(readTyped(name, '')).toEqual({ problem: 'Your name is needed.' })
  expect(readTyped(age, ' 36 ')).toEqual({ value: 36 })
  expect(readTyped(age, '3.5')).toEqual({ problem: 'age must be a whole number.' })
  expect(readTyped(news, 'Yes')).toEqual({ value: true })
  expect(readTyped(news, '')).toEqual({ value: false })
  expect(readTyped(news, 'maybe')).toEqual({ problem: 'news must be yes or no.' })
  for (const typed of ['L', 'Large', '2']) expect(readTyped(size, typed)).toEqual({ value: 'L' })
  expect(readTyped(size, 'M')).toEqual({ problem: 'size must be one of: small, large.' })
  expect(readTyped(size, '')).toEqual({})
})

test('several of a list are chosen by name or number', () => {
  const anyOf = [
    { const: 'f1', title: 'Tuna' },
    { const: 'f2', title: 'Cod, salted' },
    { const: '1', title: 'Eel' },
  ]
  const { fish } = fields({ fish: { type: 'array', items: { anyOf }, minItems: 0, maxItems: 2, default: ['f1'] } })
  if (!fish) throw new Error('a field is missing')
  expect(fieldText(fish)).toBe(
    'fish (names or numbers with commas between: 1 Tuna · 2 Cod, salted · 3 Eel, at least 0, at most 2, Enter for Tuna, - for none)',
  )
  expect(readTyped(fish, 'tuna, 2')).toEqual({ value: ['f1', 'f2'] })
  // What a choice stands for comes before its number.
  expect(readTyped(fish, '1')).toEqual({ value: ['1'] })
  expect(readTyped(fish, '')).toEqual({ value: ['f1'] })
  expect(readTyped(fish, '-')).toEqual({ value: [] })
  expect(readTyped(fish, 'tuna, eel, 2')).toEqual({ problem: 'fish must have at most 2 choices.' })
  expect(readTyped(fish, 'shark')).toEqual({ problem: 'fish must be some of: Tuna, Cod, salted, Eel.' })
})
