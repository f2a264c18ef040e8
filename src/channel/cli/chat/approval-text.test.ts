import { expect, test } from 'vitest'
import type { Shown } from '../../../contract/shown.ts'
import { askedLines, choicesText, detailsText, type Asked } from './approval-text.ts'
import { columnsOf } from './columns.ts'
import { coloured, plain } from './paint.ts'

const evils = [
  '\x1b]0;pwned\x07\x1b[2J\x1b[1A',
  '\x9b5n\x90q\x9c',
  '\u202eback\u202c\u2066x\u2069\u200f',
  'a\rb\bc\x0bd\x0ce\u2028f\u2029g\x85h',
  'nothing\u200b\u2060\ufeff\u00ad\u{e0041}to see',
  '\x1b[8mhidden\x1b[0m',
  '日本語'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(30),
  'x'.repeat(500),
  '\t\t  both\t ',
  '[y] yes  [n] no\nAllow?  nothing at all\n? other wants to run:\n  because    it is safe',
]

const asks = (shown: Shown, more: Partial<Asked['display']> = {}): Asked => ({
  id: 'a',
  callId: 'c',
  tool: 'tool',
  args: {},
  sessionId: 's',
  requestId: 'r',
  reason: 'it needs approval',
  expiresAt: '2030-01-01T00:00:00Z',
  rememberable: true,
  isQuestion: false,
  display: { target: 'here', shown, args: '{}', warnings: [], isDangerous: false, ...more },
})

const write = (text: string, diff?: string): Asked =>
  asks({ kind: 'file', path: 'notes.txt', text, ...(diff !== undefined && { diff }) })
const command = (text: string, dangerous: string): Asked => {
  const from = text.indexOf(dangerous)
  const dangers = [{ from, to: from + dangerous.length, why: 'deletes without asking' }]
  return asks({ kind: 'command', text, dangers }, { isDangerous: true })
}

/** All that was shown behind the bar, put together again. */
const behindBar = (lines: readonly string[]): string =>
  lines
    .filter((line) => /^ {2}[│┆] /.test(line))
    .map((line, at) => (line.startsWith('  │') && at > 0 ? '\n' : '') + line.slice(4))
    .join('')

test.each([20, 40, 80, 119])(
  'whatever a text holds, nothing of it is obeyed, hidden or too wide: %i columns',
  (width) => {
    const kinds = evils.flatMap((evil): Asked[] => [
      { ...write(evil), tool: evil },
      write(evil, `@@ -1 +1 @@\n-${evil}\n+${evil}`),
      command(`rm ${evil}; ls`, evil),
      asks(
        { kind: 'fields', rows: [{ name: evil, value: evil }], note: evil },
        { target: evil, warnings: [evil], remembers: evil },
      ),
      { ...asks({ kind: 'fields', rows: [] }, { target: evil }), isQuestion: true },
    ])
    for (const asked of kinds) {
      for (const most of [Infinity, 12, 3]) {
        const lines = askedLines(asked, { width, paint: plain, most })
        expect(lines.length).toBeLessThanOrEqual(most)
        for (const line of lines) {
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
          expect(columnsOf(line)).toBeLessThanOrEqual(width)
        }
      }
      const tinted = askedLines(asked, { width, paint: coloured }).join('\n')
      // oxlint-disable-next-line no-control-regex
      expect(tinted.replaceAll(/\x1b\[\d[\d;]*m/g, '')).toBe(askedLines(asked, { width, paint: plain }).join('\n'))
    }
  },
)

test.each(evils.slice(-5, -1))('what is shown of a file is exactly what it holds: %j', (text) => {
  const whole = `  first\n${text}\n\n  last  `
  const shown = behindBar(askedLines(write(whole), { width: 40, paint: plain }))
  expect(shown).toBe(whole.replaceAll('\t', '    ').replaceAll('\u200d', ''))
})

test('text that looks like ours stands behind a bar', () => {
  const lines = askedLines(write(evils.at(-1) ?? ''), { width: 60, paint: plain })
  expect(lines.filter((line) => /because|Allow|wants to/.test(line) && !line.startsWith('  │ '))).toEqual([
    '? tool wants to write: notes.txt',
    '  because    it needs approval',
  ])
})

test('a change is a diff that can be read without colours, and with them', () => {
  const asked = write('one\nthree', '@@ -1,2 +1,2 @@\n one\n-two\n+three')
  expect(askedLines(asked, { width: 60, paint: plain })).toEqual([
    '? tool wants to change: notes.txt',
    '  │ @@ -1,2 +1,2 @@',
    '  │  one',
    '  │ -two',
    '  │ +three',
    '  because    it needs approval',
  ])
  const tinted = askedLines(asked, { width: 60, paint: coloured }).join('\n')
  expect(tinted).toContain('\x1b[31m-two\x1b[39m')
  expect(tinted).toContain('\x1b[32m+three\x1b[39m')
})

test('what is dangerous in a command has its own tone, and is named with its reason', () => {
  const asked = command('cd build &&\nrm -rf .', 'rm -rf')
  expect(askedLines(asked, { width: 60, paint: plain, place: '2 of 3' })).toEqual([
    '! 2 of 3 · DANGER · tool wants to run:',
    '  │ cd build &&',
    '  │ rm -rf .',
    '  danger     rm -rf: deletes without asking',
    '  because    it needs approval',
  ])
  const tinted = askedLines(asked, { width: 60, paint: coloured }).join('\n')
  expect(tinted).toContain('\x1b[1;31mrm -rf\x1b[22;39m .')
  expect(tinted).not.toContain('\x1b[1;31mcd')
})

test('anything else is a table of its fields', () => {
  const rows = [
    { name: 'to', value: 'ada@example.org' },
    { name: 'subject', value: 'A subject that is too long for one row of it' },
    { name: 'body', value: 'one\ntwo' },
    { name: 'a.very.long.name.of.a.field', value: 'x' },
  ]
  const lines = askedLines(asks({ kind: 'fields', rows }, { target: '{"to":1}' }), { width: 40, paint: plain })
  expect(lines.slice(0, -1)).toEqual([
    '? tool wants to run with:',
    '  │ to       ada@example.org',
    '  │ subject  A subject that is too long ',
    '  ┆          for one row of it',
    '  │ body     one',
    '  │          two',
    '  │ a.very.long.name.of.a.field',
    '  │          x',
  ])
})

test('what has no room is counted, and what is dangerous stays in sight', () => {
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
  const lines = askedLines(write(long), { width: 60, paint: plain, most: 10 })
  expect(lines).toHaveLength(10)
  expect(lines.slice(-3)).toEqual(['  │ line 6', '  … 93 more lines (v shows all)', '  because    it needs approval'])
  const last = command(`${long}\nrm -rf .`, 'rm -rf')
  expect(askedLines(last, { width: 60, paint: plain, most: 8 })).toContain(
    '  danger     rm -rf: deletes without asking',
  )
})

test('the arguments as they are, and everything else, are among the details', () => {
  expect(detailsText(asks({ kind: 'fields', rows: [] }, { args: '{\n  "a": 1\n}' }), 'unsafe')).toMatch(
    /arguments {2}\{\n {15}"a": 1\n {13}\}\n {2}effect {5}it does something that cannot/,
  )
  expect(choicesText(write(''), 3)).toBe(
    'Allow?  tool here\n[y] yes  [n] no  [s] yes, for this conversation  [a] all 3  [d] details, raw arguments',
  )
})

test('the end of the last line is no line of its own, and where nothing changes there is none', () => {
  const rows = (asked: Asked): string[] =>
    askedLines(asked, { width: 60, paint: plain }).filter((line) => line.startsWith('  │'))
  expect(rows(write('one\n\ntwo\n'))).toEqual(['  │ one', '  │ ', '  │ two'])
  expect(rows(write('one\n', ''))).toEqual([])
})
