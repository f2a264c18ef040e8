import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { databaseClock } from './database-clock.ts'

function machine(offMs = 0) {
  const time = { ticks: 1000, database: 1_700_000_000_000 }
  const told: number[] = []
  const clock = databaseClock(
    { now: () => time.database + offMs, ticks: () => time.ticks },
    (byMs) => void told.push(byMs),
  )
  return {
    clock,
    told,
    time,
    pass(ms: number) {
      time.ticks += ms
      time.database += ms
    },
    /** The database is asked, and says its time after `there` ms; the answer takes `back` ms. */
    measure(there = 0, back = 0, isOffBy = 0) {
      const sentAt = time.ticks
      this.pass(there)
      const now = time.database + isOffBy
      this.pass(back)
      clock.measured(sentAt, time.ticks, now)
    },
  }
}

describe('the time of the database', () => {
  const DAY = 86_400_000

  test('is used instead of that of a machine that is a day off, which says so once', () => {
    const one = machine(-DAY)
    one.measure(5, 5)
    one.pass(3000)
    one.measure(5, 5)
    expect(one.clock.now()).toBe(one.time.database)
    expect(one.told).toEqual([-DAY])
  })

  test('a machine that is ahead goes back to the right time with the first measurement', () => {
    const one = machine(DAY)
    expect(one.clock.now()).toBe(one.time.database + DAY)
    one.measure()
    expect(one.clock.now()).toBe(one.time.database)
  })

  test('nothing is said of a clock that is five seconds off', () => {
    const one = machine(5000)
    one.measure()
    expect(one.told).toEqual([])
  })

  test('is off by no more than half of a slow answer', () => {
    const one = machine()
    one.measure(900, 0)
    expect(Math.abs(one.clock.now() - one.time.database)).toBeLessThanOrEqual(450)
  })

  test('an answer that took more than a second changes nothing', () => {
    const one = machine()
    one.measure()
    one.measure(20_000, 0)
    expect(one.clock.now()).toBe(one.time.database)
  })

  test('never goes backwards', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat(1000), fc.nat(1000), fc.integer())), (steps) => {
        const one = machine()
        one.measure()
        let before = one.clock.now()
        for (const [pass, there, back, isOffBy] of steps) {
          one.pass(pass)
          expect(one.clock.now()).toBeGreaterThanOrEqual(before)
          one.measure(there, back, isOffBy % 10_000)
          expect(one.clock.now()).toBeGreaterThanOrEqual(before)
          before = one.clock.now()
        }
      }),
    )
  })

  test('is a whole number', () => {
    const one = machine()
    one.measure(0.3, 0.4)
    expect(Number.isInteger(one.clock.now())).toBe(true)
  })
})
