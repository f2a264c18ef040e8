import { expect, test } from 'vitest'
import { createChunkReader } from './chunk-reader.ts'

const LIMITS = { chars: 20, chunks: 2 }

function read(...lines: readonly unknown[]) {
  const reader = createChunkReader(LIMITS)
  const bytes = Buffer.from(
    lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
  )
  for (let at = 0; at < bytes.length; at += 7) reader.take(bytes.subarray(at, at + 7))
  return reader.end()
}

test('what a child writes is read, wherever it is cut', () => {
  expect(read(['é', 'a\u2028😀'], ['b', 'c'], { end: 2 })).toEqual([
    { place: 'é', text: 'a\u2028😀' },
    { place: 'b', text: 'c' },
  ])
})

test.each([
  ['nothing', []],
  ['no end', [['a', 'b']]],
  ['another count', [['a', 'b'], { end: 2 }]],
  ['no chunks', [{ end: 0 }]],
  ['more after the end', [['a', 'b'], { end: 1 }, ['a', 'b']]],
  ['half a line', [['a', 'b'], { end: 1 }, '[']],
  ['no JSON', ['hello\n']],
  ['null', [null]],
  ['an unknown fault', [{ fault: '__proto__' }]],
  ['three parts', [['a', 'b', 'c'], { end: 1 }]],
  ['no text', [['a', ' '], { end: 1 }]],
  ['a number', [['a', 1], { end: 1 }]],
  ['a long place', [['a'.repeat(201), 'b'], { end: 1 }]],
  ['a long text', [['a', 'b'.repeat(1501)], { end: 1 }]],
  ['half a character', ['["a","\\ud800"]\n', { end: 1 }]],
  ['a line without an end', ['x'.repeat(100_000)]],
])('%s is not believed', (_name, lines) => {
  expect(() => read(...lines)).toThrow('broken')
})

test('limits hold here too', () => {
  expect(() => read(['a', 'b'], ['a', 'b'], ['a', 'b'])).toThrow('chunks')
  expect(() => read(['a', 'b'.repeat(21)])).toThrow('chars')
  expect(() => read({ fault: 'encrypted' })).toThrow('encrypted')
})
