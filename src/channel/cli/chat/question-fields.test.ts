import { expect, test } from 'vitest'
import { expectation, fieldsOf, readField } from './question-fields.ts'

test('the fields of a question are asked one by one, and what does not fit is told', () => {
  const [name, age, news, size] = fieldsOf({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer' },
      news: { type: 'boolean', default: false },
      size: { type: 'string', enum: ['S', 'L'] },
    },
    required: ['name', 'age'],
  })
  if (!name || !age || !news || !size) throw new Error('a field is missing')
  expect([name, age, news, size].map(expectation)).toEqual([
    'text',
    'a whole number',
    'yes or no, Enter for false',
    'S, L, Enter for none',
  ])
  expect(readField(name, 'Ada ')).toEqual({ value: 'Ada ' })
  expect(readField(name, '')).toEqual({ fault: 'Please give text.' })
  expect(readField(age, '36')).toEqual({ value: 36 })
  expect(readField(age, '3.5')).toEqual({ fault: 'Please give a whole number.' })
  expect(readField(news, 'Yes')).toEqual({ value: true })
  expect(readField(news, '')).toEqual({ value: false })
  expect(readField(news, 'maybe')).toEqual({ fault: 'Please say yes or no.' })
  expect(readField(size, 'M')).toEqual({ fault: 'Please give one of: S, L.' })
  expect(readField(size, '')).toEqual({})
})

test('what is chosen is of the kind that the schema lists', () => {
  const [rank] = fieldsOf({ type: 'object', properties: { rank: { type: 'integer', enum: [1, 2] } } })
  if (!rank) throw new Error('a field is missing')
  expect(expectation(rank)).toBe('1, 2, Enter for none')
  expect(readField(rank, ' 2 ')).toEqual({ value: 2 })
  expect(readField(rank, '3')).toEqual({ fault: 'Please give one of: 1, 2.' })
})
