import { assert, json, property } from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../tests/support/linear.ts'
import { isDeeper, nestsDeeper, watchNesting } from './nesting.ts'

const watched = (text: string, levels: number): boolean => {
  const nesting = watchNesting(levels)
  return [...Buffer.from(text)].some((byte) => nesting.add(byte))
}

test('a text, its bytes and its value are equally deep', () => {
  assert(
    property(json(), (text) => {
      for (const levels of [0, 1, 2, 3]) {
        const is = isDeeper(JSON.parse(text), levels)
        expect([nestsDeeper(text, levels), watched(text, levels)]).toEqual([is, is])
      }
    }),
  )
})

test.each([
  ['[[]]', 1, true],
  ['[[]]', 2, false],
  ['[[],[],[]]', 2, false],
  ['{"[[[":"]]"}', 1, false],
  [String.raw`["\"[[[", "\\", [1]]`, 1, true],
  [String.raw`["\"[[[", "\\\"[[["]`, 1, false],
  ['"[[[[', 1, false],
])('%s is nested more than %i levels: %s', (text, levels, is) => {
  expect([nestsDeeper(text, levels), watched(text, levels)]).toEqual([is, is])
})

// Long enough that collecting garbage, or making the text, is little beside it.
test('time grows with the length and no faster, whatever stands there', () => {
  for (const piece of ['\\', '\\"', '"', '[]', '"\\\\"', 'x'])
    expectLinear(
      () => nestsDeeper(`"${piece.repeat(1_000_000)}`),
      () => nestsDeeper(`"${piece.repeat(4_000_000)}`),
    )
})
