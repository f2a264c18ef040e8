import { expect, test } from 'vitest'
import { hrefWith, queryOf, readFilters } from './filters.ts'

test('filters come back from the address they were put into', () => {
  const filters = { state: 'waiting,paused', model: 'a/b +c%d?e&f=g' }
  expect(readFilters(hrefWith('rounds', filters))).toEqual(filters)
})

test('an address without filters has none', () => {
  expect(hrefWith('rounds')).toBe('#/operator/rounds')
  expect(readFilters('#/operator/rounds')).toEqual({})
})

test('what is empty does not filter', () => {
  expect(queryOf({ state: '', model: 'm' })).toBe('model=m')
})
