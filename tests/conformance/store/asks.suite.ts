import { describe, expect, test } from 'vitest'
import { answered, entitled, NOON, noon, open, wondered } from './money-facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function askSuite(it: Subject): void {
  const left = async () => it.store.left('local', 'ada', NOON)
  const spent = async () => {
    const [day] = await it.store.spending('local')
    return day && { tokens: day.tokens, toolCost: day.toolCost, cost: day.cost }
  }
  const sound = async () => expect((await it.store.check()).findings).toEqual([])

  describe('what Segno asks a model itself', () => {
    test('is set aside of the budget, and settled by its answer', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100, dailyCost: 100 }))
      await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 }), wondered('b', { tokens: 20, cost: 5 })))
      expect(await left()).toEqual({ tokens: 50, tools: null, cost: 85 })
      await sound()
      await writer.write(...noon(answered('a', 12, 4)))
      expect(await left()).toEqual({ tokens: 68, tools: null, cost: 91 })
      expect(await spent()).toEqual({ tokens: 12, toolCost: 0, cost: 4 })
      await writer.write(...noon(answered('a', 12, 4)))
      expect(await spent()).toEqual({ tokens: 12, toolCost: 0, cost: 4 })
      await sound()
    })

    test('is spent in full when nobody saw how it ended', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 })))
      await writer.write(...noon(answered('a', 0)))
      expect(await spent()).toEqual({ tokens: 30, toolCost: 0, cost: 10 })
      await sound()
    })

    test('is refused where too little is left', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      const over = await it.store.commit(writer.change(noon(wondered('a', { tokens: 101, cost: 0 }))))
      expect(over).toEqual({ kind: 'over', what: 'tokens', limit: 100, left: 100 })
      expect(await writer.read()).toHaveLength(2)
    })

    test('is counted without a budget too', async () => {
      const writer = await open(it.store, 'r')
      await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 })))
      await writer.write(...noon(answered('a', 12, 4)))
      expect(await spent()).toEqual({ tokens: 12, toolCost: 0, cost: 4 })
      await sound()
    })

    test('is spent when its session is deleted', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 })))
      await writer.removeAndPurge()
      expect(await spent()).toEqual({ tokens: 30, toolCost: 0, cost: 10 })
      await sound()
    })

    test('stays open for the next owner, who settles it', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 })))
      await it.reopen()
      const next = await SessionWriter.claim(it.store, writer.id)
      expect(await left()).toMatchObject({ tokens: 70 })
      await next.write(...noon(answered('a', 0)))
      expect(await spent()).toEqual({ tokens: 30, toolCost: 0, cost: 10 })
      await sound()
    })

    for (const limited of [true, false]) {
      test(`is paid by the session that asked, not by its forks (${limited ? 'with' : 'without'} a budget)`, async () => {
        if (limited) await it.store.putEntitlement(entitled({ dailyTokens: 1000 }))
        const writer = await open(it.store, 'r')
        await writer.write(...noon(wondered('a', { tokens: 30, cost: 10 })))
        const fork = await writer.fork(writer.head, ...noon(answered('a', 0)))
        expect(await spent()).toBeUndefined()
        await writer.write(...noon(answered('a', 20, 8)))
        expect(await spent()).toEqual({ tokens: 20, toolCost: 0, cost: 8 })
        await fork.write(...noon(wondered('b', { tokens: 30, cost: 10 })))
        await fork.write(...noon(answered('b', 3, 1)))
        expect(await spent()).toEqual({ tokens: 23, toolCost: 0, cost: 9 })
        await fork.write(...noon(wondered('c'), answered('c', 2, 1), wondered('d'), answered('d', 5, 1)))
        expect(await spent()).toEqual({ tokens: 30, toolCost: 0, cost: 11 })
        await sound()
      })
    }
  })
}
