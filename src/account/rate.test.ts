import { expect, test } from 'vitest'
import { createRate } from './rate.ts'

function at(start = 1000) {
  let now = start
  return { now: () => now, pass: (ms: number) => void (now += ms) }
}

test('a minute’s worth may come at once, and the next one is told how long to wait', () => {
  const clock = at()
  const rate = createRate(60, clock)
  for (let i = 0; i < 60; i++) expect(rate.take('ada')).toBe(0)
  expect(rate.take('ada')).toBe(1000)
  clock.pass(990)
  expect(rate.take('ada')).toBeGreaterThan(0)
  clock.pass(11)
  expect(rate.take('ada')).toBe(0)
  expect(rate.take('ada')).toBeGreaterThan(900)
})

test('asking in vain does not make the wait longer', () => {
  const clock = at()
  const rate = createRate(60, clock)
  for (let i = 0; i < 60; i++) rate.take('ada')
  for (let i = 0; i < 100; i++) rate.take('ada')
  expect(rate.take('ada')).toBe(1000)
})

test('one actor does not use up what another has', () => {
  const rate = createRate(1, at())
  expect([rate.take('ada'), rate.take('eve')]).toEqual([0, 0])
  expect(rate.take('ada')).toBeGreaterThan(0)
})

test('more than a minute’s worth is never saved up', () => {
  const clock = at()
  const rate = createRate(2, clock)
  clock.pass(3_600_000)
  expect([rate.take('ada'), rate.take('ada')]).toEqual([0, 0])
  expect(rate.take('ada')).toBeGreaterThan(0)
})

test('a clock that steps back takes nothing away and gives nothing', () => {
  const clock = at(100_000)
  const rate = createRate(2, clock)
  rate.take('ada')
  clock.pass(-50_000)
  expect(rate.take('ada')).toBe(0)
  expect(rate.take('ada')).toBeGreaterThan(0)
})

test('0 is no limit', () => {
  const rate = createRate(0, at())
  for (let i = 0; i < 1000; i++) expect(rate.take('ada')).toBe(0)
})

test('any number of names is remembered only up to a bound, and who is limited stays so', () => {
  const clock = at()
  const rate = createRate(2, clock)
  for (let i = 0; i < 9000; i++) rate.take(`passer-by ${i}`)
  clock.pass(60_000)
  rate.take('ada')
  rate.take('ada')
  // Those who asked a minute ago have full buckets again, and are forgotten first.
  for (let i = 0; i < 5000; i++) rate.take(`another ${i}`)
  expect(rate.take('ada')).toBeGreaterThan(0)
})
