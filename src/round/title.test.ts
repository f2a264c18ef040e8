import { expect, test } from 'vitest'
import { titleOf, USUAL_TITLE } from './title.ts'

test('a title is one line of characters that can be seen', () => {
  expect(titleOf('"A walk\u202e\u001b[31m in\u200b the woods."\nand more')).toBe('A walk[31m in the woods')
  expect(titleOf('\u200b\u0007\n')).toBe(USUAL_TITLE)
})

test('a title is short, however long the line is', () => {
  expect(titleOf('word '.repeat(1_000_000)).length).toBeLessThanOrEqual(80)
})
