import { expect, test } from 'vitest'
import { expectLinear } from '../../../../tests/support/linear.ts'
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

test('of a very long text only what is near the cursor is looked at, and it looks as it would', () => {
  const long = '0123456789'.repeat(40_000)
  const shown = inputRows(long, long.length, '› ', 79, 3)
  expect(shown).toEqual({ rows: [77, 77, 62].map((length, at, all) => tail(long, all, at)), row: 2, column: 2 + 62 })
  expect(inputRows(long, 5, '› ', 79, 3)).toMatchObject({ row: 0, column: 7 })
  expectLinear(
    () => inputRows(long.slice(0, 10_000), 10_000, '› ', 79, 20),
    () => inputRows(long, 400_000, '› ', 79, 20),
  )
})

/** A row of the last ones, if they are this long. */
function tail(text: string, lengths: readonly number[], at: number): string {
  const from = text.length - lengths.slice(at).reduce((sum, one) => sum + one, 0)
  return `  ${text.slice(from, from + (lengths[at] ?? 0))}`
}
