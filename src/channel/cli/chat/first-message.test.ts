import { expect, test } from 'vitest'
import { titleOf } from './first-message.ts'

test('a conversation is named after the first words of its first message', () => {
  expect(titleOf(' What is\n this? ')).toBe('What is this?')
  const title = titleOf('word '.repeat(40))
  expect(title.length).toBeLessThanOrEqual(60)
  expect(title).toMatch(/word…$/)
})

test('a sign of two halves is never cut in two', () => {
  for (let letters = 55; letters < 62; letters++)
    expect(titleOf(`${'x'.repeat(letters)}${'😀'.repeat(40)} hello`).isWellFormed()).toBe(true)
})
