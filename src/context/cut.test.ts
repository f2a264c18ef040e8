import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { verifies } from '../../tests/support/verifies.ts'
import type { Exchange } from '../session/index.ts'
import { cutExchanges, tokensOf } from './cut.ts'

/** Exchanges of so many messages, each of so many characters. */
const exchanges = (counts: readonly number[], size = 1): Exchange[] =>
  counts.map((count) => ({
    user: null,
    requestId: null,
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
    // Cut at message 51, inside the last exchange; its other message came after that.
    expect(messagesIn(all.slice(start))).toBe(26)
  })

  verifies('ORC-6', 'keep that cut until they are over again', () => {
    const starts = Array.from({ length: 60 }, (_, at) => cutExchanges(exchanges(twos(at + 1)), fifty))
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

verifies(
  'ORC-6',
  'walking on from the cut so far gives the same cut as walking from the start, message by message',
  () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 4, max: 20 }),
        fc.integer({ min: 20, max: 400 }),
        (counts, messages, tokens) => {
          const limits = { messages, tokens }
          let kept = 0
          counts.forEach((count, at) => {
            for (let so = 1; so <= count; so += 1) {
              const all = exchanges([...counts.slice(0, at), so], 30)
              kept = cutExchanges(all, limits, kept)
              expect(kept).toBe(cutExchanges(all, limits))
              const shown = all.slice(kept)
              const fits = messagesIn(shown) <= messages && tokensOf(charsIn(shown)) <= tokens
              expect(fits || shown.length === 1).toBe(true)
            }
          })
        },
      ),
      { numRuns: 300 },
    )
  },
)
