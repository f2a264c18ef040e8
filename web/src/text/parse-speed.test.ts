import { expect, test } from 'vitest'
import { createMarkdownStream, parseMarkdown } from './parse-markdown.ts'

const LENGTH = 200_000

const GARBAGE: Record<string, (length: number) => string> = {
  'open brackets': (length) => '['.repeat(length),
  'open and closed brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'links that never end': (length) => '[a](b'.repeat(length / 5),
  'links in angles that never end': (length) => '[a](<b'.repeat(length / 6),
  'titles that never end': (length) => '[a](b "c'.repeat(length / 8),
  'links with parentheses': (length) => `[a](${'('.repeat(length)}`,
  'links after open brackets': (length) => '['.repeat(length / 2) + '[a](b)'.repeat(length / 12),
  'nested images': (length) => '!['.repeat(length / 8) + '](a)'.repeat(length / 8),
  'open stars': (length) => '*a '.repeat(length / 3),
  'open stars of every kind': (length) => '*a **b _c __d ~~e '.repeat(length / 18),
  'closing stars': (length) => 'a* '.repeat(length / 3),
  'stars that open and close': (length) => 'a**b*'.repeat(length / 5),
  'one run of stars': (length) => `a${'*'.repeat(length)}b`,
  'nested emphasis': (length) => '*a **b '.repeat(length / 14) + 'c** d*'.repeat(length / 14),
  'runs of backticks that grow': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, at) => '`'.repeat(at)).join(' '),
  'open backticks': (length) => '`a``b'.repeat(length / 5),
  'open angles': (length) => '<'.repeat(length),
  'angles that never end': (length) => '<https://a'.repeat(length / 10),
  'addresses without a host': (length) => 'http://!'.repeat(length / 8),
  'one address': (length) => `http://a${'.)'.repeat(length / 2)}`,
  'addresses in a row': (length) => 'http://a(www.'.repeat(length / 13),
  ampersands: (length) => '&#x'.repeat(length / 3),
  backslashes: (length) => '\\'.repeat(length),
  'one word': (length) => 'a'.repeat(length),
  spaces: (length) => `a${' '.repeat(length)}b`,
  'lines of spaces': (length) => `${' '.repeat(500)}\n`.repeat(length / 501),
  tabs: (length) => `-${'\t'.repeat(length)}`,
  'blank lines': (length) => '\n'.repeat(length),
  quotes: (length) => '>'.repeat(length),
  'lines of deep quotes': (length) => `${'>'.repeat(100)}a\n`.repeat(length / 102),
  'list markers in one line': (length) => '- '.repeat(length / 2),
  'list items': (length) => '- a\n'.repeat(length / 4),
  'items further and further in': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
  hashes: (length) => `# a${' #'.repeat(length / 2)} b`,
  bars: (length) => '|'.repeat(length),
  'a wide table with short rows': (length) =>
    `${'|a'.repeat(length / 8)}\n${'|-'.repeat(length / 8)}\n${'|b\n'.repeat(length / 6)}`,
  'lines that could be heads of tables': (length) => '|a\n|-|-\n'.repeat(length / 8),
  underlines: (length) => 'a\n=\n'.repeat(length / 4),
  fences: (length) => '```\n~~~\n'.repeat(length / 8),
  'fences that are text': (length) => '```a`\n'.repeat(length / 6),
  'characters that cannot be seen': (length) => '\u202e\u200b'.repeat(length / 2),
  'ordinary text': (length) =>
    'Some **bold** and `code`, a [link](https://a.example) and so on.\n\n- item\n'.repeat(length / 74),
}

/** Milliseconds of this thread on the processor, the best of three: other work on the machine does not count. */
function bestTime(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage()
      work()
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

/** How many times longer, with a floor: the clock of a thread ticks every few milliseconds. */
function timesLonger(long: number, short: number): number {
  return long / Math.max(4, short)
}

test.each(Object.entries(GARBAGE))('reading 200 KB of %s takes time in proportion to their length', (_, garbage) => {
  const [small, large] = [garbage(LENGTH / 8), garbage(LENGTH)]
  const smallTime = bestTime(() => parseMarkdown(small))
  const largeTime = bestTime(() => parseMarkdown(large))
  // Eight times the text: linear is 8, quadratic 64.
  expect(timesLonger(largeTime, smallTime)).toBeLessThan(30)
})

function timeToAdd(before: string, piece: string, pieces: number): number {
  const stream = createMarkdownStream()
  stream.append(before)
  return bestTime(() => {
    for (let count = 0; count < pieces; count++) stream.append(piece)
    stream.append('\n')
  })
}

test('adding a word costs the same behind a long text as behind a short one', () => {
  // Reading the text again with each word would take hundreds of times longer.
  const finished = 'Some **bold** and `code` text, finished.\n\n- a\n- b\n\n'
  const word = 'word **and** '
  expect(timesLonger(timeToAdd(finished.repeat(2_000), word, 500), timeToAdd(finished, word, 500))).toBeLessThan(25)
})

test.each([
  ['code', '```\n', 'const a = 1\n'],
  ['a list', '', '- an **item** `here`\n'],
  ['a table', '| a |\n|---|\n', '| a **cell** `here` |\n'],
])('adding a line to long %s does not read all of it again', (_, start, line) => {
  const [long, short] = [timeToAdd(start + line.repeat(5_000), line, 1_000), timeToAdd(start, line, 1_000)]
  // Reading all lines again with each new one would take a thousand times longer.
  expect(timesLonger(long, short)).toBeLessThan(100)
})
