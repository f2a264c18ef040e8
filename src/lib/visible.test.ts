import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oddities, visible } from './visible.ts'

test.each([
  ['rm -rf \u202etxt.elif', 'rm -rf \\u{202e}txt.elif'],
  ['pay\u200bpal', 'pay\\u{200b}pal'],
  ['a\u{e0041}b', 'a\\u{e0041}b'],
  ['line\nbreak', 'line\\nbreak'],
  ['cr\rback', 'cr\\u{d}back'],
  ['esc\u001b[2J', 'esc\\u{1b}[2J'],
  ['no\u00a0break', 'no\\u{a0}break'],
  ['half \ud800', 'half \\u{d800}'],
  ['\u3164', '\\u{3164}'],
  ['plain text, äöü, 日本語, кошка, 🎼', 'plain text, äöü, 日本語, кошка, 🎼'],
])('%j is shown as %s', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('what is shown holds nothing that cannot be seen, whatever is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).toBe(visible(visible(text)))
      expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069]/)
    }),
  )
})

test('no two texts that differ in what is unseen are shown alike', () => {
  expect(visible('a\u200bb')).not.toBe(visible('ab'))
  expect(visible('a\u200bb')).not.toBe(visible('a\u200cb'))
})

test('a word of two scripts is pointed out, two words of one script each are not', () => {
  expect(oddities('https://p\u0430ypal.com')).toEqual(['"p\u0430ypal" mixes letters of Latin and Cyrillic'])
  expect(oddities('кошка and cat')).toEqual([])
  expect(oddities('a\u200bb')).toEqual(['there are characters that cannot be seen: \\u{200b}'])
})
