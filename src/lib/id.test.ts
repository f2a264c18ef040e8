import { expect, test } from 'vitest'
import { newId } from './id.ts'

test('makes version 7 ids that carry their time', () => {
  const id = newId(0x0190_0000_1234)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('grows strictly, also within one millisecond and when the clock steps back', () => {
  const now = Date.now() + 1_000_000
  const ids = [
    ...Array.from({ length: 10_000 }, () => newId(now)),
    ...Array.from({ length: 100 }, () => newId(now - 5000)),
    newId(now + 1000),
  ]
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
