import { expect, test } from 'vitest'
import { inputRows } from './input-rows.ts'

test('a text is broken at the width, and the cursor stands where the next letter comes', () => {
  expect(inputRows('abcdefgh', 8, '› ', 7, 10)).toEqual({ rows: ['› abcde', '  fgh'], row: 1, column: 5 })
})

test('a full row leaves the cursor on a row of its own', () => {
  expect(inputRows('abcde', 5, '› ', 7, 10)).toEqual({ rows: ['› abcde', '  '], row: 1, column: 2 })
})

test('wide characters count two columns and are never cut', () => {
  expect(inputRows('日本語', 3, '› ', 7, 10)).toEqual({ rows: ['› 日本', '  語'], row: 1, column: 4 })
  expect(inputRows('a👍b', 3, '› ', 20, 10)).toMatchObject({ row: 0, column: 5 })
})

test('of a text with more rows than there is room for, those around the cursor are shown', () => {
  const text = ['1', '2', '3', '4', '5'].join('\n')
  expect(inputRows(text, text.length, '› ', 20, 2)).toEqual({ rows: ['  4', '  5'], row: 1, column: 3 })
  expect(inputRows(text, 0, '› ', 20, 2)).toEqual({ rows: ['› 1', '  2'], row: 0, column: 2 })
})

test('what cannot be seen is written as its number', () => {
  expect(inputRows('a\u202eb', 3, '› ', 30, 5)).toEqual({ rows: ['› a\\u{202e}b'], row: 0, column: 12 })
})
