import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../../tests/support/linear.ts'
import { chunkMarkdown, chunkPages, chunkPlain } from './chunk-text.ts'
import { MOST_PLACE_CHARS } from './markdown-sections.ts'
import { MOST_CHARS, TARGET_CHARS } from './split-paragraph.ts'

const places = (text: string): string[] => chunkMarkdown(text).map(({ place }) => place)
const texts = (text: string): string[] => chunkPlain(text).map((chunk) => chunk.text)
const withoutLines = (text: string): string => text.replaceAll('\n', '')
const sentence = 'Nine words are in this sentence about nothing much. '

describe('places', () => {
  test('are the path of headings', () => {
    const text = '# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne\n### F\nf'
    expect(places(text)).toEqual(['A', 'A › B', 'A › B › C', 'A › D', 'E', 'E › F'])
  })

  test('are parts where no heading stands above', () => {
    expect(places('before\n\n# A\na')).toEqual(['part 1', 'A'])
    expect(chunkPlain(`${'a'.repeat(800)}\n\n${'b'.repeat(800)}`).map(({ place }) => place)).toEqual([
      'part 1',
      'part 2',
    ])
  })

  test('are pages, the empty ones counted', () => {
    expect(chunkPages(['a', ' ', 'c'])).toEqual([
      { place: 'page 1', text: 'a' },
      { place: 'page 3', text: 'c' },
    ])
  })

  test('are as people read them', () => {
    expect(places('## **The** `code` \\# ##\na\n# C#')).toEqual(['The code #', 'C#'])
  })

  test('know headings with a line below', () => {
    expect(places('One\n===\n\nTwo\n---\ntext')).toEqual(['One', 'One › Two'])
  })

  test.each(['---\ntitle: a\n---', '- a\n---', 'a\nb\n---', 'a\n\n---', '#a', '    # code', '\\# a', '| a |\n---'])(
    'do not take %j for a heading',
    (text) => expect(places(text)).toEqual(['part 1']),
  )

  test('leave front matter with what follows it, and take a rule at the beginning for a rule', () => {
    const text = '---\ntitle: Laptops\n# no heading\n---\n\n# Loss\n\nTell us.\n\n## Theft\n\nTell them.'
    expect(chunkMarkdown(text)).toEqual([
      { place: 'Loss', text: '---\ntitle: Laptops\n# no heading\n---\n\n# Loss\n\nTell us.' },
      { place: 'Loss › Theft', text: '## Theft\n\nTell them.' },
    ])
    expect(places('---\ntitle: a\n---\ntext\n\n# A\ntext')).toEqual(['part 1', 'A'])
    expect(places('---\n# A\ntext\n\n---\n\n# B\ntext')).toEqual(['part 1', 'A', 'B'])
    expect(places('---\n# A\ntext')).toEqual(['part 1', 'A'])
  })

  test('do not take a comment in code for a heading', () => {
    expect(places('# A\n```sh\n# no\n\n~~~\n# no\n````\n# B\n~~~\n# no')).toEqual(['A', 'B'])
    expect(places('``` `in line`\n# A')).toEqual(['part 1', 'A'])
  })

  test('are cut when they are long, between characters', () => {
    const [place = ''] = places(`# ${'a'.repeat(198)}😀😀`)
    expect(place).toBe(`${'a'.repeat(198)}…`)
    expect(places(`# ${'a '.repeat(90)}\n## ${'b '.repeat(90)}`)[0]).toHaveLength(MOST_PLACE_CHARS)
  })
})

describe('texts', () => {
  test('are whole paragraphs up to the target', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((one) => one.repeat(400))
    expect(texts(`${a}\n\n\n\n${b}\n \n${c}`)).toEqual([`${a}\n\n${b}`, c])
  })

  test('keep a paragraph whole that is not too long', () => {
    expect(texts('a'.repeat(MOST_CHARS))).toEqual(['a'.repeat(MOST_CHARS)])
  })

  test('keep a heading with its long paragraph', () => {
    const chunks = chunkMarkdown(`# A\n\n${sentence.repeat(25)}`)
    expect(chunks.map(({ text }) => text)).toEqual([`# A\n\n${sentence.repeat(25)}`])
  })

  test('are never a heading alone, unless nothing follows', () => {
    expect(chunkMarkdown('# A\n\n## B\n\nb\n\n# C')).toEqual([
      { place: 'A › B', text: '# A\n\n## B\n\nb' },
      { place: 'C', text: '# C' },
    ])
  })

  test('end with a sentence, else a line, else a word, else anywhere', () => {
    expect(texts(sentence.repeat(100)).every((one) => one.endsWith('. ') && one.length <= TARGET_CHARS)).toBe(true)
    expect(texts('他来了。'.repeat(1000)).every((one) => one.endsWith('。'))).toBe(true)
    expect(texts('a line\n'.repeat(1000)).every((one) => one.endsWith('a line'))).toBe(true)
    expect(texts('word '.repeat(1000)).every((one) => one.startsWith('word'))).toBe(true)
    expect(texts('a'.repeat(1801)).map((one) => one.length)).toEqual([900, 901])
  })

  test('have no NUL and no halves of characters', () => {
    expect(texts('a\0\ud800b\udc00\r\nc😀')).toEqual(['ab\nc😀'])
    expect(texts(`a${'😀'.repeat(2000)}`).every((one) => one.isWellFormed())).toBe(true)
  })

  test('have nothing that a model reads and a reviewer cannot see', () => {
    const hidden = Array.from('send mail', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(
      texts(`Quiet ${hidden}hours\u202e begin\u200b at\u00ad ten.\u2028Go\u200d\u200c\u200d\u200c home\u001b[0m.`),
    ).toEqual(['Quiet hours begin at ten.\nGo home[0m.'])
    expect(chunkMarkdown(`# A${hidden}\na`)).toEqual([{ place: 'A', text: '# A\na' }])
    expect(texts(hidden)).toEqual([])
    expect(texts('👩‍💻 می‌خواهم ❤️')).toEqual(['👩‍💻 می‌خواهم ❤️'])
  })

  test('are none where there are only blanks', () => {
    expect([chunkPlain(' \n\t\r\n'), chunkMarkdown(''), chunkPages([])]).toEqual([[], [], []])
  })
})

const word = fc.constantFrom(
  'a',
  'word',
  '. ',
  '! ',
  ' ',
  '\n',
  '\n\n',
  '# ',
  '## ',
  '---',
  '```',
  '😀',
  'x'.repeat(700),
)
const anyText = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))

test('joined chunks are the text, apart from blank lines, and none is too long', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const chunks of [chunkMarkdown(text), chunkPlain(text)]) {
        const full = text.split('\n').filter((line) => line.trim() !== '')
        expect(withoutLines(chunks.map((chunk) => chunk.text).join('')).replaceAll(' ', '')).toBe(
          full.join('').replaceAll(' ', ''),
        )
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(MOST_CHARS)
      }
    }),
  )
})

test.each(['a', ' ', '\n', '#', '# a\n', '```\n', '. ', '=\n', 'a\n---\n', '`', '\r', '# #', '😀', 'a\n\n'])(
  'a text of %j takes linear time',
  (unit) => {
    const text = (chars: number): string => unit.repeat(chars / unit.length)
    const [some, fourTimes] = [text(250_000), text(1_000_000)]
    expectLinear(
      () => void [chunkMarkdown(some), chunkPlain(some)],
      () => void [chunkMarkdown(fourTimes), chunkPlain(fourTimes)],
    )
  },
)
