import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { verifies } from '../../tests/support/verifies.ts'
import type { Exchange } from '../session/index.ts'
import { cutExchanges, tokensOf } from './cut.ts'

/** Exchanges of so many messages, each of so many characters. */
const exchanges = (counts: readonly number[], size = 1): Exchange[] =>
  counts.map((count, at) => ({
    seq: at + 1,
    user: { eventId: `e${at + 1}`, parts: [] },
    added: [],
    retrieved: [],
    said: [],
    sizes: Array<number>(count).fill(size),
    chars: count * size,
  }))
const twos = (count: number): number[] => Array<number>(count).fill(2)
const fifty = { messages: 50, tokens: 1_000_000 }
const messagesIn = (all: readonly Exchange[]): number => all.reduce((sum, { sizes }) => sum + sizes.length, 0)
const charsIn = (all: readonly Exchange[]): number => all.reduce((sum, { chars }) => sum + chars, 0)

describe('at most 50 messages', () => {
  verifies('ORC-6', 'are shown, and up to then all of them', () => {
    expect(cutExchanges(exchanges(twos(25)), fifty)).toBe(0)
    expect(cutExchanges(exchanges([...twos(24), 3]), fifty)).toBeGreaterThan(0)
  })

  verifies('ORC-6', 'are cut to about half, in whole exchanges', () => {
    const all = exchanges(twos(26))
    const start = cutExchanges(all, fifty)
    expect(messagesIn(all.slice(start))).toBe(26)
  })

  verifies('ORC-6', 'keep that cut until they are over again', () => {
    let start = 0
    const starts = Array.from({ length: 60 }, (_, at) => {
      // Exchanges are numbered from 1.
      return (start = cutExchanges(exchanges(twos(at + 1)), fifty, start + 1))
    })
    const changes = starts.filter((start, at) => at > 0 && start !== starts[at - 1]).length
    expect(starts.slice(25, 38)).toEqual(Array(13).fill(starts[25]))
    expect(changes).toBe(3)
  })
})

describe('the token budget', () => {
  const limits = { messages: 50, tokens: 100 }
  verifies('ORC-6', 'cuts to about half as well', () => {
    expect(cutExchanges(exchanges(Array<number>(10).fill(1), 30), limits)).toBe(0)
    const all = exchanges(Array<number>(11).fill(1), 30)
    const start = cutExchanges(all, limits)
    expect(tokensOf(charsIn(all.slice(start)))).toBeLessThanOrEqual(50)
    expect(tokensOf(charsIn(all.slice(start - 1)))).toBeGreaterThan(50)
  })

  test('is a careful guess', () => {
    expect(tokensOf(0)).toBe(0)
    expect(tokensOf(1)).toBe(1)
    expect(tokensOf(300)).toBe(100)
  })
})

describe('the last exchange', () => {
  verifies('ORC-6', 'always stays, however large it is', () => {
    expect(cutExchanges(exchanges([2, 2, 80]), fifty)).toBe(2)
    expect(cutExchanges(exchanges([200]), fifty)).toBe(0)
    expect(cutExchanges(exchanges([2, 1], 1000), { messages: 50, tokens: 10 })).toBe(1)
  })

  test('is where a cut ends that came from a longer list', () => {
    expect(cutExchanges(exchanges([2]), fifty, 7)).toBe(0)
    expect(cutExchanges([], fifty, 7)).toBe(0)
  })
})

verifies('ORC-6', 'the cut holds until it is over, then about half is shown, whatever stood before', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 })
  const property = fc.property(
    counts,
    fc.integer({ min: 4, max: 20 }),
    fc.integer({ min: 20, max: 400 }),
    (counts, messages, tokens) => {
      const limits = { messages, tokens }
      const fits = (all: readonly Exchange[]): boolean =>
        messagesIn(all) <= messages && tokensOf(charsIn(all)) <= tokens
      const isHalf = (all: readonly Exchange[]): boolean =>
        messagesIn(all) >= messages / 2 || tokensOf(charsIn(all)) >= tokens / 2
      let kept = 0
      counts.forEach((count, at) => {
        for (let so = 1; so <= count; so += 1) {
          const all = exchanges([...counts.slice(0, at), so], 30)
          const before = kept
          kept = cutExchanges(all, limits, kept + 1)
          if (fits(all.slice(before))) expect(kept).toBe(before)
          else {
            expect(fits(all.slice(kept)) || kept === all.length - 1).toBe(true)
            expect(isHalf(all.slice(kept)) || !fits(all.slice(kept - 1))).toBe(true)
            expect(isHalf(all.slice(kept + 1))).toBe(false)
          }
          const known = all.findLastIndex((_, from) => !fits(all.slice(from)))
          expect(cutExchanges(all.slice(Math.max(0, known)), limits, before + 1) + Math.max(0, known)).toBe(kept)
        }
      })
    },
  )
  fc.assert(property, { numRuns: 300 })
})
