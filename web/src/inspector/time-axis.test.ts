import { array, assert, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeAxis, without, type Stretch } from './time-axis.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('a time axis', () => {
  it('is even where nothing is left out', () => {
    const axis = timeAxis({ from: 0, to: 4 * SECOND }, [{ from: 0, to: 4 * SECOND }])
    expect(axis.breaks).toEqual([])
    expect([0, 1000, 2000, 4000].map((at) => axis.place(at))).toEqual([0, 0.25, 0.5, 1])
  })

  it('leaves most of an hour of waiting out, so that a second before it is still seen', () => {
    const end = HOUR + 2 * SECOND
    const axis = timeAxis({ from: 0, to: end }, [
      { from: 0, to: SECOND },
      { from: HOUR + SECOND, to: end },
    ])
    expect(axis.breaks.map(({ from, to }) => [from, to])).toEqual([[SECOND, HOUR + SECOND]])
    expect(axis.place(SECOND)).toBeGreaterThan(0.3)
    expect(axis.place(end) - axis.place(HOUR + SECOND)).toBeCloseTo(axis.place(SECOND))
    expect(axis.place(end)).toBe(1)
  })

  it('keeps a short idle time as it is', () => {
    const axis = timeAxis({ from: 0, to: 10 * SECOND }, [
      { from: 0, to: 5 * SECOND },
      { from: 6 * SECOND, to: 10 * SECOND },
    ])
    expect(axis.breaks).toEqual([])
  })

  it('leaves out no time in which anything happens', () => {
    const axis = timeAxis({ from: 0, to: HOUR }, [
      { from: 0, to: SECOND },
      { from: 10, to: HOUR },
    ])
    expect(axis.breaks).toEqual([])
  })

  it('can show a moment in which nothing has happened yet', () => {
    expect(timeAxis({ from: 5, to: 5 }, []).place(5)).toBe(0)
  })

  it('keeps every order of moments, between 0 and 1', () => {
    const moment = integer({ min: 0, max: 10_000_000 })
    const stretch = tuple(moment, moment).map(([a, b]): Stretch => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    assert(
      property(stretch, array(stretch, { maxLength: 12 }), moment, moment, (whole, busy, a, b) => {
        const axis = timeAxis(whole, busy)
        const [first, second] = [axis.place(Math.min(a, b)), axis.place(Math.max(a, b))]
        expect(first).toBeGreaterThanOrEqual(0)
        expect(second).toBeGreaterThanOrEqual(first)
        expect(second).toBeLessThanOrEqual(1.000001)
      }),
    )
  })
})

describe('a stretch without others', () => {
  it('is what is left of it', () => {
    expect(
      without({ from: 0, to: 10 }, [
        { from: 7, to: 20 },
        { from: 2, to: 3 },
        { from: -5, to: 1 },
      ]),
    ).toEqual([
      { from: 1, to: 2 },
      { from: 3, to: 7 },
    ])
  })

  it('is nothing where it is all covered, and all of it where nothing is', () => {
    expect(without({ from: 1, to: 2 }, [{ from: 0, to: 3 }])).toEqual([])
    expect(without({ from: 1, to: 2 }, [{ from: 5, to: 9 }])).toEqual([{ from: 1, to: 2 }])
  })
})
