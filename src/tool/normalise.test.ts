import { posix } from 'node:path'
import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { cost } from '../../tests/support/linear.ts'
import { normalise, normalisePath } from './normalise.ts'

test('a path reads as the system would read it, without a slash at its end', () => {
  const pieces = constantFrom('a', 'b', '.', '..', '...', '/', '//', '', ' ', 'a.')
  assert(
    property(array(pieces, { maxLength: 12 }), (parts) => {
      const path = parts.join('')
      const expected = posix.normalize(path)
      expect(normalisePath(path)).toBe(expected.length > 1 && expected.endsWith('/') ? expected.slice(0, -1) : expected)
    }),
  )
})

/** As long as all the arguments a model can send in one answer. */
const LONGEST = 2_000_000

test.each(['../', 'a/', 'a/../', '..\\', 'a'])('the longest path made of %j is read in moments', (unit) => {
  const path = unit.repeat(LONGEST / unit.length)
  expect(cost(() => normalisePath(path))).toBeLessThan(1000)
})

test.each(['../', 'a/', '%2e%2e/', '?', 'é'])('the longest URL made of %j is read in moments', (unit) => {
  const url = `https://example.org/${unit.repeat(LONGEST / 4 / unit.length)}`
  expect(cost(() => normalise(url, 'url'))).toBeLessThan(1000)
})

test.each(['a.', '.', 'A'])('the longest host made of %j is read in moments', (unit) => {
  const host = unit.repeat(LONGEST / unit.length)
  expect(cost(() => normalise(host, 'host'))).toBeLessThan(1000)
})
