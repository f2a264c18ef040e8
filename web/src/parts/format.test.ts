import { expect, test } from 'vitest'
import { ago, clock, moment, roughly } from './format.ts'

const at = new Date(2026, 10, 15, 21, 4, 9).getTime()

test('a moment is written in one way, whatever the language of the browser', () => {
  expect(clock(at)).toBe('21:04:09')
  expect(moment(at)).toBe('15 Nov 2026, 21:04')
  expect(moment(new Date(2026, 8, 1, 0, 5).toISOString())).toBe('1 Sep 2026, 00:05')
})

test('what is left is told in its largest unit, without jumping between units', () => {
  const hour = 3_600_000
  expect([0, 999, 59_999, 60_000, hour - 1, hour, 24 * hour - 1, 24 * hour, 49 * hour].map(roughly)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 m',
    '59 m',
    '1 h',
    '23 h',
    '1 d',
    '2 d',
  ])
  expect(roughly(-5)).toBe('0 s')
})

test('how long ago something was has whole seconds', () => {
  expect(ago(at, at + 44_000)).toBe('now')
  expect(ago(at, at + 47_300)).toBe('47 s ago')
  expect(ago(at, at + 3_725_000)).toBe('1 h ago')
})
