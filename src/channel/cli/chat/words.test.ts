import { expect, test } from 'vitest'
import { callLine, runningLine } from './call-line.ts'
import { columnsOf } from './columns.ts'
import { readTyped } from './command-table.ts'
import { plain } from './paint.ts'
import { expectation, fieldsOf, readField } from './question-fields.ts'
import { titleOf } from './api.ts'
import { duration, money } from './words.ts'

test.each([
  [3.4, '3 ms'],
  [999.6, '1.0 s'],
  [1234, '1.2 s'],
  [59_960, '1 m 00 s'],
  [125_000, '2 m 05 s'],
])('%d milliseconds are %s', (ms, text) => expect(duration(ms)).toBe(text))

test.each([
  [0, '$0'],
  [1, '$0.000001'],
  [12_300, '$0.0123'],
  [12_345.6, '$0.01235'],
  [1_500_000, '$1.5'],
  [2_000_000, '$2'],
  [12_345_678, '$12.35'],
  [1_234_567_890, '$1235'],
])('%d micro-dollars are %s', (micro, text) => expect(money(micro)).toBe(text))

test('what has no price is not called free', () => {
  expect(money(0, { unpriced: true })).toBe('price unknown')
  expect(money(500, { unpriced: true })).toBe('at least $0.0005, price unknown')
})

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
  [{ outcome: 'unknown', durationMs: 9 }, '? calculator 6*7 · unknown: segno calls reconcile c1'],
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

test.each([
  ['/fork 12', { kind: 'command', name: 'fork', rest: '12' }],
  ['/exit', { kind: 'command', name: 'quit', rest: '' }],
  ['  /sessions two words ', { kind: 'command', name: 'sessions', rest: 'two words' }],
  ['/hlep', { kind: 'unknown', name: 'hlep', nearest: 'help' }],
  ['/modle x', { kind: 'unknown', name: 'modle', nearest: 'model' }],
  ['/etc/hosts is what?', { kind: 'message', text: '/etc/hosts is what?' }],
  ['1/2', { kind: 'message', text: '1/2' }],
])('%s is understood', (text, typed) => expect(readTyped(text)).toEqual(typed))

test('the fields of a question are asked one by one, and what does not fit is told', () => {
  const [name, age, news, size] = fieldsOf({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer' },
      news: { type: 'boolean', default: false },
      size: { type: 'string', enum: ['S', 'L'] },
    },
    required: ['name', 'age'],
  })
  if (!name || !age || !news || !size) throw new Error('a field is missing')
  expect([name, age, news, size].map(expectation)).toEqual([
    'text',
    'a whole number',
    'yes or no, Enter for false',
    'S, L, Enter for none',
  ])
  expect(readField(name, 'Ada ')).toEqual({ value: 'Ada ' })
  expect(readField(name, '')).toEqual({ fault: 'Please give text.' })
  expect(readField(age, '36')).toEqual({ value: 36 })
  expect(readField(age, '3.5')).toEqual({ fault: 'Please give a whole number.' })
  expect(readField(news, 'Yes')).toEqual({ value: true })
  expect(readField(news, '')).toEqual({ value: false })
  expect(readField(news, 'maybe')).toEqual({ fault: 'Please say yes or no.' })
  expect(readField(size, 'M')).toEqual({ fault: 'Please give one of: S, L.' })
  expect(readField(size, '')).toEqual({})
})

test('a conversation is named after the first words of its first message', () => {
  expect(titleOf(' What is\n this? ')).toBe('What is this?')
  const title = titleOf('word '.repeat(40))
  expect(title.length).toBeLessThanOrEqual(60)
  expect(title).toMatch(/word…$/)
})
