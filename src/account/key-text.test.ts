import { expect, test } from 'vitest'
import { newKeyText, readKeyText, sameHash } from './key-text.ts'

test('a key is read back as its id and the hash of its secret', () => {
  const { id, text, hash } = newKeyText()
  expect(readKeyText(text)).toEqual({ id, hash })
  expect(hash).not.toContain(text.slice(-64))
})

test('no two keys are alike', () => {
  const keys = Array.from({ length: 1000 }, newKeyText)
  for (const field of ['id', 'text', 'hash'] as const) expect(new Set(keys.map((key) => key[field])).size).toBe(1000)
})

const { text } = newKeyText()
test.each([
  '',
  'segno',
  text.slice(0, -1),
  `${text}0`,
  ` ${text}`,
  `${text}\n`,
  text.toUpperCase(),
  text.replace('segno_', 'other_'),
  text.replaceAll('_', '-'),
])('%j is no key', (wrong) => {
  expect(readKeyText(wrong)).toBeUndefined()
})

test('hashes are the same only if all of them is', () => {
  expect(sameHash('abc', 'abc')).toBe(true)
  expect(sameHash('abc', 'abd')).toBe(false)
  expect(sameHash('abc', 'abcd')).toBe(false)
  expect(sameHash('', 'a')).toBe(false)
})
