import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../../../tests/support/linear.ts'
import { columnsOf } from './columns.ts'
import { createMarkdownWriter } from './markdown.ts'
import { coloured, plain, type Paint } from './paint.ts'

/** What a terminal is sent for a text that comes in these pieces. */
function written(pieces: readonly string[], width = 60, paint: Paint = plain): string {
  let out = ''
  const writer = createMarkdownWriter({ width: () => width, paint, write: (text) => (out += text) })
  for (const piece of pieces) writer.add(piece)
  writer.end()
  return out
}

const sgr = (on: number, text: string, off: number): string => `\x1b[${on}m${text}\x1b[${off}m`

test.each([
  ['a heading', '## Title\n\ntext', '## Title\n\ntext\n'],
  ['bold and italic', 'a **b** _c_ ***d***', 'a **b** *c* ***d***\n'],
  ['a code span', 'use `npm ci` now', 'use `npm ci` now\n'],
  ['a code span with marks in it', '`a **b** c`', '`a **b** c`\n'],
  ['a list', '- a\n* b\n  + c\n1. d\n2) e', '• a\n• b\n  • c\n1. d\n2) e\n'],
  ['a quote', '> said\n>> twice', '│ said\n│ │ twice\n'],
  ['a link', 'see [here](https://a.example/x) now', 'see here (https://a.example/x) now\n'],
  ['a link whose text is its address', '[https://a.example](https://a.example)', 'https://a.example\n'],
  ['a picture', '![cat](https://a.example/c.png)', 'picture: cat (https://a.example/c.png)\n'],
  ['code', 'run:\n\n```sh\nls  -l\n  *x*\n```\ndone', 'run:\n\n  ls  -l\n    *x*\ndone\n'],
  ['code that never ends', '~~~\nabc', '  abc\n'],
  ['a rule', 'a\n\n---\n\nb', `a\n\n${'─'.repeat(40)}\n\nb\n`],
  ['a table', '| a | b |\n|---|:-:|\n| 1 | **two** |', 'a │ b\n──┼────\n1 │ two\n'],
  ['several empty lines', 'a\n\n\n\nb', 'a\n\nb\n'],
  ['arithmetic', '2 * 3 * 4 and 2*3*4 and 5 ** 2', '2 * 3 * 4 and 2*3*4 and 5 ** 2\n'],
  ['names with underscores', 'snake_case_name and __init__.py', 'snake_case_name and **init**.py\n'],
  ['marks that are never closed', 'a **b and `c', 'a **b and `c\n'],
  ['escaped marks', '\\*not\\* a list', '*not* a list\n'],
  ['prices and versions', '1.5 million, ~5 minutes, #12', '1.5 million, ~5 minutes, #12\n'],
  ['emoji with their marks', 'ok ⚠️ 👨‍👩‍👧', 'ok ⚠ 👨👩👧\n'],
])('writes %s so that it can be read without colours', (_, text, shown) => {
  expect(written([text])).toBe(shown)
})

test('draws what is marked where there are colours', () => {
  expect(written(['# T\n**b** *i* `c` ~~s~~'], 60, coloured)).toBe(
    `${sgr(1, 'T', 22)}\n${sgr(1, 'b', 22)} ${sgr(3, 'i', 23)} ${sgr(36, 'c', 39)} ${sgr(9, 's', 29)}\n`,
  )
})

test('breaks lines between words, under their bullet, and no word that fits on a line', () => {
  expect(written(['- one two three four five six'], 12)).toBe('• one two\n  three four\n  five six\n')
  expect(written(['a abcdefghijklmnop'], 10)).toBe('a\nabcdefghij\nklmnop\n')
  expect(written(['日本語のテキスト'], 10)).toBe('日本語のテ\nキスト\n')
})

test('wraps the cells of a table that is too wide, and shows it as lists where columns have no room', () => {
  const text = '| name | what it is for |\n|---|---|\n| alpha | the very first letter of them |'
  expect(written([text], 25)).toBe(
    'name  │ what it is for\n──────┼──────────────────\nalpha │ the very first\n      │ letter of them\n',
  )
  expect(written([text], 18)).toBe('• name: alpha\n  what it is for:\n    the very first\n    letter of them\n')
})

test('writes a word as soon as it is certain, not only at the end', () => {
  let out = ''
  const writer = createMarkdownWriter({ width: () => 60, paint: plain, write: (text) => (out += text) })
  writer.add('Hello wor')
  expect(out).toBe('Hello')
  writer.add('ld and **bo')
  expect(out).toBe('Hello world and')
  writer.add('ld** text')
  expect(out).toBe('Hello world and **bold**')
})

const EVIL = [
  '\x1b]0;title\x07',
  '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '\x1b[2J\x1b[H',
  '\x9b31m',
  '\x90q\x9c',
  '\u202e\u2066\u200f',
  '\r',
  '\b\b\b',
  '\x00\x7f',
  '\u2028',
]

test('lets nothing through that a terminal obeys, however it is cut', () => {
  // oxlint-disable-next-line no-control-regex
  const obeyed = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
  for (const evil of EVIL)
    for (const frame of ['%', '**%**', '`%`', '```\n%\n```', '[%](%)', '| % |', '# %', '> %', '- %']) {
      const text = `a ${frame.replaceAll('%', evil)} b`
      expect(written([text])).not.toMatch(obeyed)
      expect(written(text.split(''))).not.toMatch(obeyed)
    }
  expect(written(['a\x1b[31mb'.slice(0, 2), '[31mb'])).toBe('a\\u{1b}[31mb\n')
})

const PARTS =
  'word| |\n|\n\n|**|*|_|`|```\n|# |- |1. |> |¦ a ¦ b ¦\n|¦---¦---¦\n|[x](http://a)|![|](|\\|日本|⚠️|\x1b[31m|~~|---\n|' +
  'a-very-long-word-that-fits-nowhere'
const markdown = fc
  .array(fc.constantFrom(...PARTS.split('|').map((part) => part.replaceAll('¦', '|'))), { maxLength: 25 })
  .map((parts) => parts.join(''))

test.each<[string, number, (size: number) => string]>([
  ['blanks around a bar', 300, (size) => `${' '.repeat(size)}|${' '.repeat(size)}x\n`],
  ['a row of blanks', 5000, (size) => `|${' '.repeat(size)}x\n`],
  ['marks that are never closed', 2500, (size) => '*a '.repeat(size)],
  ['brackets', 5000, (size) => '['.repeat(size)],
  ['a fence that is none', 5000, (size) => `\`\`\`${' '.repeat(size)}\``],
  ['waves that are no fence', 5000, (size) => `${'~'.repeat(size)}\``],
  ['a long piece of code', 5000, (size) => `\` ${'x'.repeat(size)}\``],
  ['many columns and many rows', 1000, (size) => `|${'a|'.repeat(size)}\n${'|\n'.repeat(size)}`],
  ['columns that are all too wide', 250, (size) => `|${`${'a'.repeat(200)}|`.repeat(size)}\n`],
])('is written in a time that grows no faster than the text: %s', (_, size, text) => {
  expectLinear(
    () => written([text(size)]),
    () => written([text(size * 4)]),
  )
})

test('what is marked over a long stretch looks the same, however it was cut', () => {
  for (const mark of ['**', '`', '~~']) {
    const text = `a ${mark}${'word '.repeat(70)}end${mark} b`
    expect(written(text.split(''))).toBe(written([text]))
  }
})

test('what is written does not depend on how the text was cut into pieces', () => {
  fc.assert(
    fc.property(markdown, fc.array(fc.nat(12), { maxLength: 30 }), (text, sizes) => {
      const pieces: string[] = []
      let at = 0
      for (const size of sizes) {
        pieces.push(text.slice(at, at + size))
        at += size
      }
      pieces.push(text.slice(at))
      expect(written(pieces, 24)).toBe(written([text], 24))
    }),
  )
})

test('no line is wider than the screen, and no letter is lost', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 20, max: 60 }), (text, width) => {
      const out = written([text], width)
      for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width)
      const letters = (some: string): number => some.match(/word|日本/g)?.length ?? 0
      // Behind a fence stands the name of a language, which is not shown.
      const said = text.replaceAll(/^\s{0,3}(?:```|~~~).*$/gm, '')
      expect(letters(out.replaceAll(/\n[│ ]*/g, ''))).toBeGreaterThanOrEqual(letters(said))
    }),
  )
})
