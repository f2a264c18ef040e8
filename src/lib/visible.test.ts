import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../tests/support/linear.ts'
import { textWarnings, visible, visibleSpaces, visibleText } from './visible.ts'

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

test.each([
  '\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u3164\uffa0\ufe00\ufe0f\u{e0100}\u{e01ef}',
  '\u00ad\u2065\u206f\ufff8\u{1bca0}\u{1d173}\u{e0020}\u{e0fff}',
  '\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}',
  '\u1680\u2000\u2028\u2029\u202f\u205f\u3000',
])('not one of the characters %j, which show nothing, is left as it is', (blanks) => {
  for (const one of blanks) expect(visible(`rm${one}x`)).toMatch(/^rm\\u\{[0-9a-f]+\}x$/)
})

test('what is shown holds nothing that cannot be seen, whatever is given', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      expect(visible(text)).toBe(visible(visible(text)))
      expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
    }),
  )
})

test('no two texts that differ in what is unseen are shown alike', () => {
  expect(visible('a\u200bb')).not.toBe(visible('ab'))
  expect(visible('a\u200bb')).not.toBe(visible('a\u200cb'))
})

test('a word of two scripts is pointed out, two words of one script each are not', () => {
  expect(textWarnings('https://p\u0430ypal.com')).toEqual(['"p\u0430ypal" mixes letters of Latin and Cyrillic'])
  expect(textWarnings('кошка and cat')).toEqual([])
  expect(textWarnings('a\u200bb')).toEqual(['there are characters that cannot be seen: \\u{200b}'])
})

test('a text to read keeps its lines, tabs and emoji, and nothing else that cannot be seen', () => {
  expect(visibleText('a\r\n\tb ❤️ 👩‍💻')).toBe('a\n\tb ❤️ 👩‍💻')
  expect(visibleText('a\rb\u200dc\ufe0f\u202e\u001b[2J')).toBe('a\\u{d}b\\u{200d}c\\u{fe0f}\\u{202e}\\u{1b}[2J')
})

test.each([
  ['rm  -rf', 'rm␣␣-rf'],
  [' ls ', '␣ls␣'],
  ['one two', 'one two'],
  ['a\tb', 'a\\u{9}b'],
  ['a\u00a0 \u2003b', 'a\\u{a0} \\u{2003}b'],
  ['a   ', 'a␣␣␣'],
  ['a␣␣b', 'a\\u{2423}\\u{2423}b'],
  ['', ''],
])('to decide about, %j is shown as %s', (text, shown) => {
  expect(visibleSpaces(text)).toBe(shown)
})

test('no two texts to decide about are shown alike for their spaces', () => {
  assert(
    property(
      string({ unit: constantFrom(' ', '␣', 'a', '\t', '\u00a0') }),
      string({ unit: constantFrom(' ', '␣', 'a') }),
      (a, b) => {
        if (a !== b) expect(visibleSpaces(a)).not.toBe(visibleSpaces(b))
        expect(visibleSpaces(a)).not.toMatch(/ {2}|^ | $/)
      },
    ),
  )
})

test('spaces that move what follows out of sight are pointed out; an indent is not', () => {
  expect(textWarnings(`ls${' '.repeat(300)}; rm -rf .`)).toEqual([
    'there are 300 spaces in a row: look at what follows',
  ])
  expect(textWarnings('if x:\n        y')).toEqual([])
})

test('a long row of spaces takes no longer for being long', () => {
  const row = (length: number): string => `a${' '.repeat(length)}b`.repeat(3)
  expectLinear(
    () => visibleSpaces(row(50_000)),
    () => visibleSpaces(row(200_000)),
  )
})
