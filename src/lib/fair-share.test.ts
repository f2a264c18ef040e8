import { expect, test } from 'vitest'
import { fairShare } from './fair-share.ts'

test('one alone may have all places, and no more', () => {
  const places = fairShare(4)
  const got = Array.from({ length: 6 }, () => places.take('ann'))
  expect(got.map((place) => place !== undefined)).toEqual([true, true, true, true, false, false])
})

test('who comes when one has them all still gets an equal share', () => {
  const places = fairShare(4)
  for (let i = 0; i < 4; i++) places.take('ann')
  expect([1, 2, 3].map(() => places.take('bob') !== undefined)).toEqual([true, true, false])
  expect(places.taken).toBe(6)
})

test('there are never more than twice as many', () => {
  const places = fairShare(4)
  for (let i = 0; i < 100; i++) for (const who of ['a', 'b', 'c', 'd', `e${i}`]) places.take(who)
  expect(places.taken).toBeLessThanOrEqual(8)
})

test('a place given back, once or twice, is one place', () => {
  const places = fairShare(1)
  const leave = places.take('ann')
  leave?.()
  leave?.()
  expect(places.taken).toBe(0)
  expect(places.take('ann')).toBeDefined()
  expect(places.take('ann')).toBeUndefined()
})
