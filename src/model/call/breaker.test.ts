import { describe, expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { createBreakers } from './breaker.ts'

function breakers(failures = 3) {
  const clock = { at: 1000, now: () => clock.at }
  const made = createBreakers({ failures, openMs: 5000 }, clock)
  const fail = (times: number, provider = 'p'): void => {
    for (let i = 0; i < times; i++) {
      expect(made.refuses(provider)).toBeUndefined()
      made.report(provider, 'failed')
    }
  }
  return { ...made, clock, fail }
}

describe('a provider', () => {
  verifies('COO-6', 'is left alone after so many failures in a row, and for so long', () => {
    const it = breakers()
    it.fail(3)
    expect(it.refuses('p')).toBe('p failed 3 times in a row and is left alone for 5 s')
    expect([...it.open()]).toEqual([['p', 6000]])
    it.clock.at += 4999
    expect(it.refuses('p')).toMatch(/left alone for 1 s/)
  })

  verifies('COO-6', 'is then tried by one caller, and is back if that is answered', () => {
    const it = breakers()
    it.fail(3)
    it.clock.at += 5000
    expect(it.refuses('p')).toBeUndefined()
    expect(it.refuses('p')).toMatch(/left alone/)
    it.report('p', 'answered')
    it.fail(2)
    expect(it.refuses('p')).toBeUndefined()
  })

  verifies('COO-6', 'is left alone again if the one who tries fails', () => {
    const it = breakers()
    it.fail(3)
    it.clock.at += 5000
    it.fail(1)
    expect(it.refuses('p')).toMatch(/failed 4 times/)
  })

  verifies('COO-6', 'can be tried again when the one who tried was cancelled', () => {
    const it = breakers()
    it.fail(3)
    it.clock.at += 5000
    expect(it.refuses('p')).toBeUndefined()
    it.report('p', 'neither')
    expect(it.refuses('p')).toBeUndefined()
  })

  verifies('COO-6', 'is not blamed for another, nor for what says nothing about it', () => {
    const it = breakers()
    it.fail(3, 'other')
    expect(it.refuses('p')).toBeUndefined()
    it.fail(2)
    it.report('p', 'neither')
    it.report('p', 'neither')
    expect(it.refuses('p')).toBeUndefined()
    it.report('p', 'answered')
    it.fail(2)
    expect(it.refuses('p')).toBeUndefined()
  })

  verifies('COO-6', 'is never left alone where that is switched off', () => {
    const it = breakers(0)
    it.fail(50)
    expect(it.refuses('p')).toBeUndefined()
    expect(it.open().size).toBe(0)
  })
})
