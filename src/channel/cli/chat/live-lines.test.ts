import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { liveLines, type Scene } from './live-lines.ts'
import { plain } from './paint.ts'

const evil = '\x1b]0;pwned\x07\x1b[2J\x9b31m\u202e\nsecond line'
const scene: Scene = {
  busy: { sinceMs: 0, doing: `calling ${evil}` },
  running: [{ callId: 'c', name: evil, args: { [evil]: evil } }],
  queue: [evil],
  hint: evil,
  input: { text: evil, cursor: 0, prompt: `${evil} ›` },
}

test.each([
  ['the line that is written', scene],
  ['a question', { ...scene, question: { lines: () => ['  │ what'], choices: `Allow?  ${evil}` } }],
])('nothing under the transcript is obeyed by the terminal, and no line is too wide: %s', (_, shown) => {
  const { lines } = liveLines(shown, 100, 60, 30, plain)
  expect(lines.join('\n')).toContain('calling \\u{1b}]0;pwned')
  // oxlint-disable-next-line no-control-regex
  for (const line of lines) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(60)
})

test('a long name of a field leaves room for what is written', () => {
  const { lines } = liveLines(
    { ...scene, input: { text: 'abc', cursor: 3, prompt: 'x'.repeat(500) } },
    0,
    40,
    30,
    plain,
  )
  expect(lines.at(-1)).toMatch(/^x+… abc$/)
})

test.each([20, 40, 119])('it is never higher than the screen, and the cursor is in it: %i columns', (width) => {
  const lines = (_: number, most: number): string[] => Array.from({ length: most }, () => '  │ x')
  const choices = '[y] yes  [n] no  [s] yes, for this conversation  [a] all 3  [d] details, raw arguments'
  for (const question of [undefined, { lines }, { lines, choices }])
    for (let rows = 3; rows < 40; rows++) {
      const input = { text: 'a\n'.repeat(50), cursor: 100, prompt: '›' }
      const live = liveLines({ ...scene, question, input }, 100, width, rows, plain)
      expect(live.lines.length).toBeLessThanOrEqual(Math.max(rows - 2, 1))
      expect(live.lines[live.row]).toBeDefined()
    }
})
