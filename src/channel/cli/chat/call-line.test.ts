import { expect, test } from 'vitest'
import { callLine, runningLine } from './call-line.ts'
import { columnsOf } from './columns.ts'
import { plain } from './paint.ts'

const call = { callId: 'c1', name: 'calculator', args: { expression: '6*7' } }

test.each([
  [{ outcome: 'ok', durationMs: 3 }, '✓ calculator 6*7 · 3 ms'],
  [{ outcome: 'error', durationMs: 1200 }, '✗ calculator 6*7 · failed · 1.2 s'],
  [
    { outcome: 'refused', code: 'DUPLICATE', durationMs: 0, words: 'Called already.' },
    '✗ calculator 6*7 · refused (DUPLICATE): Called already.',
  ],
  [{ outcome: 'denied', durationMs: 0 }, '✗ calculator 6*7 · denied'],
  [{ outcome: 'cancelled', durationMs: 9 }, '✗ calculator 6*7 · cancelled'],
  [{ outcome: 'timeout', durationMs: 30_000 }, '✗ calculator 6*7 · took too long · 30.0 s'],
  [{ outcome: 'unknown', durationMs: 9 }, '? calculator 6*7 · unknown: segno calls reconcile c1 --happened yes|no'],
] as const)('a call line says how it went: %o', (result, line) => {
  expect(callLine(call, result, 80, plain)).toBe(line)
})

test('a call is one line that fits, and nothing in it is obeyed', () => {
  const long = {
    callId: 'c',
    name: 'write_file',
    args: { path: 'a.txt', content: `x\n\x1b[2J\u202e${'y'.repeat(300)}` },
  }
  const lines = [
    callLine(long, { outcome: 'refused', code: 'POLICY', durationMs: 0, words: 'Because '.repeat(20) }, 60, plain),
    runningLine(long, '⠋', 60, plain),
  ]
  for (const line of lines) {
    expect(columnsOf(line)).toBeLessThanOrEqual(60)
    expect(line).toContain('write_file a.txt content=x \\u{1b}[2J')
  }
  expect(lines[0]).toMatch(/… · refused \(POLICY\)$/)
})
