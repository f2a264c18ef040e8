import { expect, test } from 'vitest'
import type { JsonObject } from '../contract/message.ts'
import { fitsFilter } from './fits-filter.ts'

const payload: JsonObject = { plan: 'pro', user: { country: 'RW', age: 30, tags: ['a'] }, gone: null, 'a.b': 1 }

test.each([
  ['nothing at all', {}],
  ['a field', { plan: 'pro' }],
  ['a path', { 'user.country': 'RW' }],
  ['several, all of which are equal', { plan: 'pro', 'user.age': 30 }],
  ['null', { gone: null }],
  ['a path into a list', { 'user.tags.0': 'a' }],
])('fits %s', (_, filter) => {
  expect(fitsFilter(filter, payload)).toBe(true)
})

test.each([
  ['another value', { plan: 'free' }],
  ['one of several that is not equal', { plan: 'pro', 'user.age': 31 }],
  ['the same in another type', { 'user.age': '30' }],
  ['a field that is not there, not even as null', { missing: null }],
  ['a path through a text', { 'plan.length': 3 }],
  ['what every list has', { 'user.tags.length': 1 }],
  ['what is past the end of a list', { 'user.tags.1': 'a' }],
  ['what every object has', { 'constructor.name': 'Object' }],
  ['what every object inherits', { '__proto__.plan': 'pro' }],
  ['a name with a full stop, which no path reaches', { 'a.b': 1 }],
])('does not fit %s', (_, filter) => {
  expect(fitsFilter(filter, payload)).toBe(false)
})

test('a field called __proto__ is one like any other', () => {
  expect(fitsFilter({ '__proto__.x': 1 }, JSON.parse('{"__proto__":{"x":1}}') as JsonObject)).toBe(true)
})
