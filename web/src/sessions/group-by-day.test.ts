import { describe, expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'

/** A moment by the clock on the wall, wherever this runs. */
const at = (day: number, hour: number, minute = 0): Date => new Date(2026, 10, day, hour, minute)
const named = (...moments: Date[]) => moments.map((moment) => ({ usedAt: moment.toISOString() }))
const names = (moments: Date[], now: Date) =>
  groupByDay(named(...moments), now.getTime()).map(({ name, items }) => `${name} ${items.length}`)

describe('conversations by day', () => {
  it('asks the calendar, not how many hours ago it was', () => {
    expect(names([at(15, 0, 1), at(14, 23, 59)], at(15, 0, 2))).toEqual(['Today 1', 'Yesterday 1'])
    expect(names([at(15, 23), at(15, 0)], at(15, 23, 59))).toEqual(['Today 2'])
  })

  it('puts the five days before yesterday under this week, and everything before under older', () => {
    const now = at(15, 12)
    expect(names([at(13, 23), at(9, 0), at(8, 23, 59), at(1, 9)], now)).toEqual(['This week 2', 'Older 2'])
  })

  it('knows yesterday across a change of the clock', () => {
    const before = process.env['TZ']
    process.env['TZ'] = 'America/New_York'
    try {
      // The night of 8 March 2026 has 23 hours there.
      const now = new Date(2026, 2, 9, 0, 30)
      expect(names([new Date(2026, 2, 8, 0, 15)], now)).toEqual(['Yesterday 1'])
      expect(names([new Date(2026, 2, 7, 23, 45)], now)).toEqual(['This week 1'])
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })

  it('shows a conversation from a clock that runs ahead as today', () => {
    expect(names([at(16, 3)], at(15, 12))).toEqual(['Today 1'])
  })
})
