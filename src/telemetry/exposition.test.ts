import { expect, test } from 'vitest'
import { parseExposition, valueOf } from '../../tests/support/parse-exposition.ts'
import { counter, firstFew, histogram, known, oneOf, reading } from './exposition.ts'

const described = (name: string) => ({ name, help: 'Tests.' })

test('shows a counter whose labels are a closed list with 0 from the start', () => {
  const calls = counter(described('calls_total'), oneOf('outcome', ['ok', 'error']))
  calls.add(2, 'ok')
  const read = parseExposition(calls.text())
  expect(valueOf(read, 'calls_total', { outcome: 'ok' })).toBe(2)
  expect(valueOf(read, 'calls_total', { outcome: 'error' })).toBe(0)
})

test('counts a value that is not in the list as other', () => {
  const calls = counter(described('calls_total'), oneOf('outcome', ['ok']))
  calls.add(1, 'made up')
  calls.add(1, 'also made up')
  expect(calls.text()).not.toContain('made up')
  expect(valueOf(parseExposition(calls.text()), 'calls_total', { outcome: 'other' })).toBe(2)
})

test('takes only the first few values of an open label, and only those of the right form', () => {
  const requests = counter(described('requests_total'), firstFew('route', /^[a-z/]+$/, 2))
  for (const route of ['/a', 'Not A Route', '/b', '/c', '/a']) requests.add(1, route)
  const read = parseExposition(requests.text())
  expect(valueOf(read, 'requests_total', { route: '/a' })).toBe(2)
  expect(valueOf(read, 'requests_total', { route: '/b' })).toBe(1)
  expect(valueOf(read, 'requests_total', { route: 'other' })).toBe(2)
  expect(read.get('requests_total')?.samples).toHaveLength(3)
})

test('escapes what would break a line', () => {
  const nasty = ['a\\b', 'a"b', 'a\nb', '\\n', 'a\\b"c\nd{e="f"} 1']
  const odd = counter(
    { name: 'odd_total', help: 'A\\B\nC' },
    known('value', () => true),
  )
  for (const value of nasty) odd.add(1, value)
  const family = parseExposition(odd.text()).get('odd_total')
  expect(family?.help).toBe('A\\\\B\\nC')
  expect(family?.samples.map(({ labels }) => labels['value'])).toEqual(nasty)
})

test('never lets a counter go down or become no number', () => {
  const tokens = counter(described('tokens_total'))
  for (const by of [5, -3, NaN, 0]) tokens.add(by)
  expect(valueOf(parseExposition(tokens.text()), 'tokens_total')).toBe(5)
})

test('adds the buckets of a histogram up, with what is too large under +Inf', () => {
  const durations = histogram(described('duration_seconds'), [0.1, 1, 10])
  for (const seconds of [0.05, 0.1, 0.5, 99, NaN, Infinity]) durations.observe(seconds)
  const read = parseExposition(durations.text())
  const below = (le: string) => valueOf(read, 'duration_seconds_bucket', { le })
  expect([below('0.1'), below('1'), below('10'), below('+Inf')]).toEqual([2, 3, 3, 4])
  expect(valueOf(read, 'duration_seconds_count')).toBe(4)
  expect(valueOf(read, 'duration_seconds_sum')).toBeCloseTo(99.65)
})

test('keeps the series of a histogram apart', () => {
  const durations = histogram(described('duration_seconds'), [1], oneOf('route', ['/a', '/b']))
  durations.observe(0.5, '/a')
  const read = parseExposition(durations.text())
  expect(valueOf(read, 'duration_seconds_count', { route: '/a' })).toBe(1)
  expect(valueOf(read, 'duration_seconds_count', { route: '/b' })).toBe(0)
})

test('reads a gauge when it is asked for', () => {
  let live = 1
  const gauge = reading(described('live'), 'gauge', () => live, { version: '1' })
  live = 7
  expect(valueOf(parseExposition(gauge.text()), 'live', { version: '1' })).toBe(7)
})
