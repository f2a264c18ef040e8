import { expect, test } from 'vitest'
import { clockTime, duration, money, tokenWords } from './words.ts'

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

test('what was cached is told with what went in', () => {
  expect(tokenWords({ input: 3000, output: 4 })).toBe('3,000 tokens in, 4 out')
  expect(tokenWords({ input: 30, output: 4, cachedRead: 20, cachedWrite: 9 })).toBe(
    '30 tokens in (20 from the cache, 9 put there), 4 out',
  )
})

test('a time is told by the clock of this machine, with its day if that is another one', () => {
  const at = new Date(2026, 10, 18, 9, 5)
  expect(clockTime(at.toISOString(), new Date(2026, 10, 18, 23, 59))).toBe('09:05')
  expect(clockTime(at.toISOString(), new Date(2026, 10, 19, 0, 1))).toBe('2026-11-18 09:05')
})
