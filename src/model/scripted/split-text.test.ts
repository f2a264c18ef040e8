import { expect, it } from 'vitest'
import { splitBySize, splitInto } from './split-text.ts'

it('splits by size and keeps the rest', () => {
  expect(splitBySize('abcdefg', 3)).toEqual(['abc', 'def', 'g'])
  expect(splitBySize('', 3)).toEqual([])
})

it('splits into as many pieces as asked', () => {
  expect(splitInto('abcdefg', 3)).toEqual(['ab', 'cd', 'efg'])
  expect(splitInto('abcdef', 1)).toEqual(['abcdef'])
})

it('makes no empty pieces of a short text', () => {
  expect(splitInto('ab', 5)).toEqual(['a', 'b'])
  expect(splitInto('', 1)).toEqual([])
  expect(splitInto('', 3)).toEqual([])
})

it('never splits a surrogate pair', () => {
  expect(splitBySize('a😀b😀', 2)).toEqual(['a😀', 'b😀'])
  expect(splitBySize('😀😀', 1)).toEqual(['😀', '😀'])
  expect(splitInto('😀😀', 4)).toEqual(['😀', '😀'])
  expect(splitInto('"😀"', 2)).toEqual(['"😀', '"'])
})

it('leaves half a pair where it stands', () => {
  expect(splitBySize('\ud83d\ud83d\ude00', 1)).toEqual(['\ud83d', '\ud83d\ude00'])
})
