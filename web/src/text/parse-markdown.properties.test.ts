import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block } from './markdown-tree.ts'
import { createMarkdownStream, parseMarkdown } from './parse-markdown.ts'

const SYNTAX = [
  ['\n', '\n\n', '\r\n', ' ', '  ', '    ', '\t', '# ', '- ', '* ', '+ ', '1. ', '2) ', '> ', '>', '---\n', '===\n'],
  ['```', '~~~', '```ts\n', '`', '``', '*', '**', '_', '__', '~~', '[', ']', '](', '![', '(', ')', '<', '|', '|-|-|\n'],
  ['| a | b |\n', '|---|---|\n', '\\', '\\\n', '&', '&amp;', '&#x202e;', 'https://a.example', 'www.b.example', '<br>'],
  ['[x] ', '[ ] ', '"', "'", ':', '!', '\u202e', '\u200d', '\ufeff', '\ud83d', '\ude00', '中文', 'word', 'a'],
  ['](https://c.example "t")'],
].flat()
const markdown = fc.array(fc.constantFrom(...SYNTAX), { maxLength: 40 }).map((parts) => parts.join(''))
const anyText = fc.oneof(markdown, fc.string({ unit: 'binary', maxLength: 200 }))

/** All strings of the tree, wherever they stand. */
function strings(value: unknown): string {
  if (typeof value === 'string') return ` ${value}`
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(strings).join('')
}

function cut(text: string, places: number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end))
}

test('every word of a text is somewhere in its tree', () => {
  const words = fc.array(fc.tuple(fc.constantFrom(...SYNTAX), fc.stringMatching(/^w[a-z0-9]{5}$/)), { maxLength: 30 })
  fc.assert(
    fc.property(words, (parts) => {
      const found = strings(parseMarkdown(parts.flat().join('')))
      for (const [, word] of parts) expect(found).toContain(word)
    }),
    { numRuns: 2_000 },
  )
})

test('no letter and no hidden character is lost', () => {
  const noEntity = fc.string({ unit: 'binary', maxLength: 100 }).map((text) => text.replaceAll('&', ''))
  fc.assert(
    fc.property(noEntity, (text) => {
      const found = strings(parseMarkdown(text))
      // The `x` of a task is its box.
      for (const [char] of text.matchAll(/[\p{L}\p{C}]/gu)) if (!/[\s\0xX]/.test(char)) expect(found).toContain(char)
    }),
    { numRuns: 1_000 },
  )
})

test('a text in any pieces ends in the same tree as at once', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(), { maxLength: 20 }), (text, places) => {
      const stream = createMarkdownStream()
      let blocks: Block[] = []
      for (const piece of cut(text, places)) blocks = stream.append(piece)
      expect(blocks).toEqual(parseMarkdown(text))
    }),
    { numRuns: 3_000 },
  )
})

test('what was given before never changes afterwards', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
      const stream = createMarkdownStream()
      const given = cut(text, places).map((piece) => stream.append(piece))
      let sofar = ''
      cut(text, places).forEach((piece, at) => {
        sofar += piece
        expect(given[at]).toEqual(parseMarkdown(sofar))
      })
    }),
    { numRuns: 1_000 },
  )
})

test('a text written letter by letter is right after each of them', () => {
  const text =
    '# A\n\nb **c**\nd\n===\n\n- e\n  1. f\n\n  g\n- [x] h\n\n> i\n> - j\nk\n\n```ts\nl\n\n  m\n```\n' +
    'n\n| o | p |\n|---|:-:|\n| q | r |\n| s | t |\nend\n\n    code\n\n    more\n\n---\n[u](https://v.example) ![w](x)\n'
  const stream = createMarkdownStream()
  const given = text.split('').map((char) => stream.append(char))
  given.forEach((blocks, at) => expect(blocks).toEqual(parseMarkdown(text.slice(0, at + 1))))
})

test('blocks before the open one are the same objects after more text', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(), { maxLength: 20 }), (text, places) => {
      const stream = createMarkdownStream()
      let before: Block[] = []
      let read = ''
      for (const piece of cut(text, places)) {
        const wholeLines = read.slice(0, read.lastIndexOf('\n') + 1)
        const finished = parseMarkdown(wholeLines).length - 1
        const blocks = stream.append(piece)
        for (let at = 0; at < finished; at++) expect(blocks[at] === before[at]).toBe(true)
        before = blocks
        read += piece
      }
    }),
    { numRuns: 3_000 },
  )
})

test('items of a growing list and rows of a growing table stay the same objects', () => {
  const stream = createMarkdownStream()
  const [list] = stream.append('- a\n- b\n- c')
  const [longer] = stream.append('c\n- d')
  if (list?.type !== 'list' || longer?.type !== 'list') throw new Error('expected lists')
  expect(longer.children[0] === list.children[0]).toBe(true)
  expect(longer.children[1] === list.children[1]).toBe(true)
  const tables = createMarkdownStream()
  const [table] = tables.append('|a|\n|-|\n|b|\n|c')
  const [wider] = tables.append('c|\n|d|')
  if (table?.type !== 'table' || wider?.type !== 'table') throw new Error('expected tables')
  expect(wider.rows[0] === table.rows[0]).toBe(true)
})

test('a long list is the same object while the paragraph after it is written', () => {
  const stream = createMarkdownStream()
  const [list] = stream.append('- a\n- b\n\nAnd')
  const [again] = stream.append(' so on')
  expect(again === list).toBe(true)
})
