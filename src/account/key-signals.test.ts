import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeySignals } from './key-signals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const watch = () => createKeySignals({ now: () => Date.now() })

test('ends what goes on under a key, and nothing under another', () => {
  const keys = watch()
  const [one, same, other] = [keys.signal('a', null), keys.signal('a', null), keys.signal('b', null)]
  keys.end('a')
  expect([one.aborted, same.aborted, other.aborted]).toEqual([true, true, false])
})

test('ends it when the key runs out, not before', () => {
  const keys = watch()
  const signal = keys.signal('a', Date.now() + 1000)
  vi.advanceTimersByTime(999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.aborted).toBe(true)
})

test('a key may run out later than a timer can wait', () => {
  const keys = watch()
  const far = 2 ** 31 + 5000
  const signal = keys.signal('a', Date.now() + far)
  vi.advanceTimersByTime(far - 1)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.aborted).toBe(true)
})

test('a key that has run out ends at once', () => {
  expect(watch().signal('a', Date.now()).aborted).toBe(true)
})

test('leaves no timer behind when it is closed', () => {
  const keys = watch()
  keys.signal('a', Date.now() + 1000)
  keys.signal('b', Date.now() + 5000)
  keys.close()
  expect(vi.getTimerCount()).toBe(0)
})
