import { expect, test } from 'vitest'
import { around, boundsOf, FIRST, grownDown, grownUp, MOST, STEP } from './drawn-range.ts'

const items = Array.from({ length: 1000 }, (_, at) => ({ key: `k${at}` }))

test('a conversation is opened at its end', () => {
  expect(boundsOf({}, items)).toEqual([1000 - FIRST, 1000])
  expect(boundsOf({}, items.slice(0, 3))).toEqual([0, 3])
})

test('going up draws more and never more than a bounded number', () => {
  let range = {}
  for (let step = 0; step < 40; step++) {
    const [before] = boundsOf(range, items)
    range = grownUp(range, items)
    const [start, end] = boundsOf(range, items)
    expect(start).toBe(Math.max(0, before - STEP))
    expect(end - start).toBeLessThanOrEqual(MOST)
  }
  expect(boundsOf(range, items)).toEqual([0, MOST])
})

test('going down again reaches the end and follows it', () => {
  let range = around(10, items)
  for (let step = 0; step < 40; step++) range = grownDown(range, items)
  expect(boundsOf(range, items)).toEqual([1000 - MOST, 1000])
  expect(boundsOf(range, [...items, { key: 'new' }])[1]).toBe(1001)
})

test('the range around an item holds it', () => {
  for (const place of [0, 5, 500, 998, 999]) {
    const [start, end] = boundsOf(around(place, items), items)
    expect(start <= place && place < end).toBe(true)
  }
})

test('what is loaded before or comes after does not move a range in the middle', () => {
  const range = around(500, items)
  const [start, end] = boundsOf(range, items)
  const earlier = Array.from({ length: 50 }, (_, at) => ({ key: `e${at}` }))
  expect(boundsOf(range, [...earlier, ...items, { key: 'new' }])).toEqual([start + 50, end + 50])
})
