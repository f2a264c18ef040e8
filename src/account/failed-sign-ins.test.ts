import { expect, test } from 'vitest'
import { failedSignInCounter } from './failed-sign-ins.ts'

function under() {
  let now = 1_000_000
  return { note: failedSignInCounter({ now: () => now }), pass: (ms: number) => void (now += ms) }
}

test('one of a source is recorded in a minute, and the next tells how many there were', () => {
  const { note, pass } = under()
  expect([note('a'), note('a'), note('a'), note('b')]).toEqual([1, undefined, undefined, 1])
  pass(59_999)
  expect(note('a')).toBeUndefined()
  pass(1)
  expect([note('a'), note('a'), note('b')]).toEqual([4, undefined, 1])
})

test('a flood from everywhere is bounded in memory and in records', () => {
  const { note, pass } = under()
  const flood = (): number => {
    let recorded = 0
    for (let i = 0; i < 20_000; i++) if (note(`10.${i}`) !== undefined) recorded += 1
    return recorded
  }
  expect(flood()).toBeLessThanOrEqual(1001)
  expect(note('somebody else')).toBeUndefined()
  pass(60_000)
  expect(note('somebody else'), 'room is made again').toBe(1)
})

test('a clock that was put back records rather than keeps silent', () => {
  const { note, pass } = under()
  note('a')
  pass(-3_600_000)
  expect(note('a')).toBe(1)
})
