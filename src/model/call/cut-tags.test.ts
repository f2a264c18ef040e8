import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutTags } from './cut-tags.ts'

/** The pieces that are let through, with what came at the end, and the tags. */
function cut(...pieces: readonly string[]) {
  const tags = cutTags()
  const shown = [...pieces.map((piece) => tags.push(piece)), tags.end()]
  return { shown, text: shown.join(''), tags: tags.tags }
}

const pairsOf = (text: string): [string, string][] =>
  Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)])

describe('tags', () => {
  test.each([
    ['Noted. [REMEMBER: likes tea] Anything else?', 'Noted. Anything else?', ['likes tea']],
    ['[remember : likes tea]Noted.', 'Noted.', ['likes tea']],
    ['Noted.[ Remember:likes tea ]', 'Noted.', ['likes tea']],
    ['Yes.\n\n[REMEMBER: a]\n[REMEMBER: b]\nBye.', 'Yes.\n\nBye.', ['a', 'b']],
    ['Hello [REMEMBER: x], all', 'Hello , all', ['x']],
    ['[[REMEMBER: x]', '[', ['x']],
    ['[REM[REMEMBER: x]', '[REM', ['x']],
    ['Nothing [REMEMBER:  ]here.', 'Nothing here.', []],
    ['😀[REMEMBER: 😀]😀', '😀😀', ['😀']],
    ['[REM[REMEMBER: x]EMBER: tea] Bye', '[REM Bye', ['x']],
    ['[ [REMEMBER: x] REMEMBER: tea] Bye', '[ Bye', ['x']],
    ['[REM[REMEMBER: x][REMEMBER: y]EMBER: tea]', '[REM', ['x', 'y']],
    ['[REM[REMEMBER: x]EM', '[REMEM', ['x']],
    ['[REM[REMEMBER: x]EM[1]', '[REMEM[1]', ['x']],
  ])('are cut out wherever the text is split: %j', (text, clean, tags) => {
    for (const pair of pairsOf(text)) expect(cut(...pair)).toMatchObject({ text: clean, tags })
    expect(cut(...text.split(''))).toMatchObject({ text: clean, tags })
  })

  test('nothing of a tag is let through before its end', () => {
    const { shown } = cut(...'Noted. [REMEMBER: likes tea] Bye.'.split(''))
    expect(shown.slice(0, 8).join('')).toBe('Noted. ')
    expect(shown.slice(7, 29).join('')).toBe('')
  })
})

describe('what is no tag stays text', () => {
  test.each([
    '[1] and [k1], [ ] and []',
    '[REMEMBERED: x]',
    '[REMEMBER this]',
    'REMEMBER: x]',
    '[REMEMBER: no end',
    '[REMEM',
    '[',
    `[REMEMBER: ${'long '.repeat(100)}]`,
  ])('%j', (text) => {
    for (const pair of pairsOf(text)) expect(cut(...pair)).toMatchObject({ text, tags: [] })
  })

  test('at once where it cannot become one any more', () => {
    expect(cut('see [1', '] there').shown).toEqual(['see [1', '] there', ''])
  })

  test('and after 300 characters without an end, but not a tag inside of it', () => {
    const begun = `[REMEMBER: ${'x'.repeat(289)}`
    expect(cut(begun.slice(0, 299)).shown).toEqual(['', begun.slice(0, 299)])
    expect(cut(begun).shown).toEqual([begun, ''])
    expect(cut(`[REMEMBER: ${'x'.repeat(400)}[REMEMBER: tea]`).tags).toEqual(['tea'])
    expect(cut(`[REMEMBER: tea [REMEMBER: ${'x'.repeat(280)}] ]`).text).toBe('[REMEMBER: tea ')
    expect(cut(`[REMEMBER: tea [1 [REMEMBER: ${'x'.repeat(280)}] ]`).text).toBe('[REMEMBER: tea [1 ')
  })
})

test('however a text is split, the same is let through', () => {
  const word = fc.constantFrom(
    '[',
    ']',
    'REMEMBER',
    'remember',
    ':',
    ' ',
    '\n',
    'tea',
    '[REMEMBER: x]',
    '[REM',
    'EMBER',
    '[1]',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(40), { maxLength: 10 }), (words, lengths) => {
      const text = words.join('')
      const pieces = lengths.reduce<string[]>(
        ([first = '', ...done], length) => [first.slice(length), ...done, first.slice(0, length)],
        [text],
      )
      const [last = '', ...others] = pieces
      const { text: clean, tags } = cut(...others, last)
      expect({ clean, tags }).toEqual({ clean: cut(text).text, tags: cut(text).tags })
      expect(clean).not.toMatch(/\[\s*remember\s*:[^\]]*\]/i)
    }),
  )
})

test('text without brackets is let through as it is', () => {
  const text = 'x'.repeat(1000)
  expect(cut(text, text).shown).toEqual([text, text, ''])
})
