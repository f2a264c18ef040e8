import { expect, test } from 'vitest'
import { titleOf } from './api.ts'

test('a conversation is named after the first words of its first message', () => {
  expect(titleOf(' What is\n this? ')).toBe('What is this?')
  const title = titleOf('word '.repeat(40))
  expect(title.length).toBeLessThanOrEqual(60)
  expect(title).toMatch(/word…$/)
})
