import { expect, test } from 'vitest'
import { createRate } from './rate.ts'

function at(start = 1000) {
  let now = start
  return { now: () => now, pass: (ms: number) => void (now += ms) }
}

test('a minute’s worth may come at once, and the next one is told how long to wait', () => {
  const clock = at()
  const rate = createRate(60, clock)
  for (let i = 0; i < 60; i++) expect(rate('ada')).toBe(0)
  expect(rate('ada')).toBe(1000)
  clock.pass(990)
  expect(rate('ada')).toBeGreaterThan(0)
  clock.pass(11)
  expect(rate('ada')).toBe(0)
  expect(rate('ada')).toBeGreaterThan(900)
})

test('asking in vain does not make the wait longer', () => {
  const clock = at()
  const rate = createRate(60, clock)
  for (let i = 0; i < 60; i++) rate('ada')
  for (let i = 0; i < 100; i++) rate('ada')
  expect(rate('ada')).toBe(1000)
})

test('one actor does not use up what another has', () => {
  const rate = createRate(1, at())
  expect([rate('ada'), rate('eve')]).toEqual([0, 0])
  expect(rate('ada')).toBeGreaterThan(0)
})

test('more than a minute’s worth is never saved up', () => {
  const clock = at()
  const rate = createRate(2, clock)
  clock.pass(3_600_000)
  expect([rate('ada'), rate('ada')]).toEqual([0, 0])
  expect(rate('ada')).toBeGreaterThan(0)
})

test('a clock that steps back takes nothing away and gives nothing', () => {
  const clock = at(100_000)
  const rate = createRate(2, clock)
  rate('ada')
  clock.pass(-50_000)
  expect(rate('ada')).toBe(0)
  expect(rate('ada')).toBeGreaterThan(0)
})

test('0 is no limit', () => {
  const rate = createRate(0, at())
  for (let i = 0; i < 1000; i++) expect(rate('ada')).toBe(0)
})

test('any number of names is remembered only up to a bound, and who is limited stays so', () => {
  const clock = at()
  const rate = createRate(2, clock)
  for (let i = 0; i < 9000; i++) rate(`passer-by ${i}`)
  clock.pass(60_000)
  rate('ada')
  rate('ada')
  // Those who asked a minute ago have full buckets again, and are forgotten first.
  for (let i = 0; i < 5000; i++) rate(`another ${i}`)
  expect(rate('ada')).toBeGreaterThan(0)
})

test('several nodes each have their share, anew when there are more or fewer', () => {
  let nodes = 3
  const time = { now: 0 }
  const rate = createRate(60, { now: () => time.now }, () => nodes)
  const taken = (): number => {
    let count = 0
    while (rate('ada') === 0) count += 1
    return count
  }
  expect(taken()).toBe(20)
  time.now += 60_000
  expect(taken()).toBe(20)
  nodes = 1
  time.now += 60_000
  expect(taken()).toBe(60)
})

test('a share of less than one request lets one through now and then', () => {
  const time = { now: 0 }
  const rate = createRate(2, { now: () => time.now }, () => 4)
  expect(rate('ada')).toBe(0)
  expect(rate('ada')).toBe(120_000)
  time.now += 120_000
  expect(rate('ada')).toBe(0)
})
