import { expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

test('text that any column can hold stays as it is', () => {
  for (const text of ['', 'plain', 'Große 🦉', '\u0001\t\n', '\uFFFD']) expect(cleanText(text)).toBe(text)
})

test('what a column cannot hold is replaced, one character for each', () => {
  expect(cleanText('a\0b\0')).toBe('a\uFFFDb\uFFFD')
  expect(cleanText('half \ud800, other \udc00, both \ud83e\udd89')).toBe('half \uFFFD, other \uFFFD, both 🦉')
})
