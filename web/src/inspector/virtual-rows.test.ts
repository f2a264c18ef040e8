import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { virtualRows } from './virtual-rows.ts'

const ROW = 32
const EXTRA = 300

describe('a list that draws only what is seen', () => {
  it('draws every row that is seen, and few others', () => {
    const size = integer({ min: 0, max: 5000 })
    assert(
      property(
        size,
        size,
        integer({ min: -1, max: 5000 }),
        integer({ min: 1, max: 2000 }),
        (count, y, open, height) => {
          const rows = virtualRows(count, ROW, open, EXTRA)
          const top = Math.min(y * ROW, rows.total)
          const { first, end } = rows.seen(top, height)
          for (let index = 0; index < count; index += 1) {
            const bottom = rows.top(index + 1)
            const isSeen = bottom > top && rows.top(index) < top + height
            if (isSeen) expect(index >= first && index < end).toBe(true)
          }
          expect(end - first).toBeLessThanOrEqual(Math.ceil(height / ROW) + 18)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('moves what is below an unfolded row, and is as long as all of it', () => {
    const rows = virtualRows(10, ROW, 3, EXTRA)
    expect([3, 4].map(rows.top)).toEqual([3 * ROW, 4 * ROW + EXTRA])
    expect(rows.total).toBe(10 * ROW + EXTRA)
  })

  it('scrolls to a row only where it is not seen whole', () => {
    const rows = virtualRows(100, ROW, -1, EXTRA)
    expect(rows.reveal(5, 0, 320)).toBe(0)
    expect(rows.reveal(20, 0, 320)).toBe(21 * ROW - 320)
    expect(rows.reveal(2, 320, 320)).toBe(2 * ROW)
  })
})
