import { describe, expect } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { ended, said, started } from './facts.ts'
import {
  again,
  at,
  begun,
  call,
  called,
  entitled,
  MINUTE,
  NOON,
  noon,
  open,
  paid,
  takenOver,
  turn,
  turned,
} from './money-facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function reservationSuite(it: Subject): void {
  const left = async (userId = 'ada') => it.store.left('local', userId, NOON)
  const spent = async () => {
    const day = (await it.store.spending('local')).find(({ userId }) => userId === 'ada')
    return day && { tokens: day.tokens, toolCost: day.toolCost, cost: day.cost }
  }
  const sound = async () => expect((await it.store.check()).findings).toEqual([])

  describe('what is set aside', () => {
    verifies(
      'GOV-9',
      'is set aside anew for each attempt at a turn, and settled with the end of the turn',
      async () => {
        const writer = await open(it.store, 'r')
        await it.store.putEntitlement(entitled({ dailyTokens: 100, dailyCost: 100 }))
        await writer.write(...noon(turn('r', 1, 30, 10)))
        await writer.write(...noon(again('r', 1, 40, 20)))
        expect(await left()).toEqual({ tokens: 30, tools: null, cost: 70 })
        expect(await it.store.commit(writer.change(noon(again('r', 1, 31))))).toMatchObject({ kind: 'over', left: 30 })
        await writer.write(...noon(turned('r', 1, 45, 9)))
        expect(await left()).toEqual({ tokens: 55, tools: null, cost: 91 })
        expect(await spent()).toEqual({ tokens: 45, toolCost: 0, cost: 9 })
        await sound()
      },
    )

    verifies('GOV-9', 'is spent in full when its owner died, and set aside anew by the next', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100, dailyCost: 100 }))
      await writer.write(...noon(turn('r', 1, 30, 10)))
      await writer.write(...noon(again('r', 1, 20, 10)))
      const next = await SessionWriter.claim(it.store, writer.id)
      const over = await it.store.commit(next.change(noon(takenOver('r', 1, { tokens: 51, cost: 0 }))))
      expect(over).toEqual({ kind: 'over', what: 'tokens', limit: 100, left: 50 })
      expect(await spent()).toBeUndefined()
      await next.write(...noon(takenOver('r', 1, { tokens: 50, cost: 10 })))
      expect(await spent()).toEqual({ tokens: 50, toolCost: 0, cost: 20 })
      expect(await left()).toEqual({ tokens: 0, tools: null, cost: 70 })
      await next.write(...noon(turned('r', 1, 5, 1)))
      expect(await spent()).toEqual({ tokens: 55, toolCost: 0, cost: 21 })
      expect(await left()).toEqual({ tokens: 45, tools: null, cost: 79 })
      await sound()
    })

    verifies('GOV-9', 'stays as it is when a person lets a round go on', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(turn('r', 1, 30)))
      const resumed = { ...takenOver('r', 1), data: { n: 0, turn: 1, reason: 'resume' } } as ReturnType<typeof said>
      await writer.write(...noon(resumed))
      expect(await spent()).toBeUndefined()
    })

    verifies('GOV-9', 'is spent in full when nobody saw how its turn ended', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(turn('r', 1, 30, 10)))
      await writer.write(...noon(turned('r', 1, 0)))
      expect(await spent()).toEqual({ tokens: 30, toolCost: 0, cost: 10 })
      await sound()
    })

    verifies(['GOV-9', 'GOV-10'], 'is settled once: a second end changes nothing', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(turn('r', 1, 30), ...call('r', 'c', 5)))
      await writer.write(...noon(turned('r', 1, 10, 1), paid('r', 'c', 3)))
      const once = { tokens: 10, toolCost: 3, cost: 4 }
      expect(await spent()).toEqual(once)
      await writer.write(...noon(turned('r', 1, 20, 2), paid('r', 'c', 5), takenOver('r', 1)))
      expect(await spent()).toEqual(once)
    })

    verifies('GOV-9', 'for one turn or call is not settled by another, nor by that of another session', async () => {
      const one = await open(it.store, 'r')
      const other = await open(it.store, 'q')
      await it.store.putEntitlement(entitled({ dailyTokens: 100, dailyToolCost: 100 }))
      await one.write(...noon(turn('r', 1, 30), ...call('r', 'c', 30)))
      await one.write(...noon(turned('r', 2, 0, 0), paid('r', 'd', 0)))
      await other.write(...noon(turned('r', 1, 0, 0), paid('r', 'c', 0)))
      expect(await left()).toMatchObject({ tokens: 70, tools: 70 })
    })

    verifies('GOV-9', 'is spent when its session is deleted', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(turn('r', 1, 30), ...call('r', 'c', 7, { concurrent: 1 })))
      await writer.removeAndPurge()
      expect(await spent()).toEqual({ tokens: 30, toolCost: 7, cost: 7 })
      const next = await open(it.store, 'q')
      await next.write(...noon(...call('q', 'd', 0, { concurrent: 1 })))
    })

    verifies('GOV-9', 'and settled is forgotten after a while, what is open and what was spent is not', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      for (const n of [1, 2, 3]) await writer.write(...noon(turn('r', n, 10), turned('r', n, 5, 0)))
      await writer.write(...noon(turn('r', 4, 10)))
      expect(await it.store.forgetReservations(NOON, 9)).toBe(0)
      expect(await it.store.forgetReservations(NOON + 1, 2)).toBe(2)
      expect(await it.store.forgetReservations(NOON + 1, 2)).toBe(1)
      expect(await it.store.forgetReservations(NOON + 1, 2)).toBe(0)
      expect(await left()).toMatchObject({ tokens: 75 })
      await writer.write(...noon(turned('r', 4, 1, 0)))
      expect(await left()).toMatchObject({ tokens: 84 })
      await sound()
    })
  })

  describe('a fork', () => {
    for (const limited of [true, false]) {
      verifies(
        ['GOV-9', 'GOV-10'],
        `does not pay for what its parent began, nor end it (${limited ? 'with' : 'without'} a budget)`,
        async () => {
          if (limited) await it.store.putEntitlement(entitled({ dailyTokens: 1000, dailyCost: 1000 }))
          const writer = await open(it.store, 'r')
          await writer.write(...noon(turn('r', 1, 30, 10), ...call('r', 'c', 50)))
          const close = noon(paid('r', 'c', 50), turned('r', 1, 20, 8), ended('r'))
          const fork = await writer.fork(writer.head, ...close)
          const late = await writer.fork(writer.head)
          await late.write(...close)
          expect(await spent()).toBeUndefined()
          await writer.write(...noon(paid('r', 'c', 40), turned('r', 1, 25, 9), ended('r')))
          expect(await spent()).toEqual({ tokens: 25, toolCost: 40, cost: 49 })
          await fork.write(...noon(started('q'), turn('q', 1, 5), turned('q', 1, 3, 1)))
          await fork.write(...noon(...call('q', 'd', 6), paid('q', 'd', 2)))
          expect(await spent()).toEqual({ tokens: 28, toolCost: 42, cost: 52 })
          await sound()
        },
      )
    }

    verifies('GOV-10', 'pays for a round that is stored whole with it', async () => {
      const writer = await open(it.store, 'r')
      await writer.fork(writer.head, ...noon(started('q'), turned('q', 1, 3, 1)))
      expect(await spent()).toEqual({ tokens: 3, toolCost: 0, cost: 1 })
    })
  })

  describe('a quota', () => {
    const try1 = async (
      writer: SessionWriter,
      time: number,
      requestId: string,
      callId: string,
      quota: object,
      tool = 'search',
    ) => {
      const events = at(time, called(requestId, callId, tool), begun(requestId, callId, 0, quota, tool))
      const answer = await it.store.commit(writer.change(events))
      if (answer.kind === 'committed') writer.head += events.length
      return answer
    }
    const stored = expect.objectContaining({ kind: 'committed' }) as unknown

    verifies('GOV-9', 'allows a tool so many calls in any hour, by everybody in a tenant together', async () => {
      const perHour = { perHour: 2 }
      const ada = await open(it.store, 'r')
      const bob = await open(it.store, 'q', { id: 'bob' })
      const eve = await open(it.store, 'e', { tenant: 'rival' })
      expect(await try1(ada, NOON, 'r', 'a', perHour)).toEqual(stored)
      await ada.write(...noon(paid('r', 'a', 0)))
      expect(await try1(bob, NOON + 30 * MINUTE, 'q', 'b', perHour)).toEqual(stored)
      const over = { kind: 'over', what: 'hourly', tool: 'search', limit: 2, left: 0 }
      expect(await try1(ada, NOON + 60 * MINUTE - 1, 'r', 'c', perHour)).toEqual(over)
      expect(await try1(ada, NOON + 60 * MINUTE - 1, 'r', 'c', perHour, 'fetch')).toEqual(stored)
      expect(await try1(eve, NOON + 60 * MINUTE - 1, 'e', 'd', perHour)).toEqual(stored)
      expect(await try1(ada, NOON + 60 * MINUTE, 'r', 'e', perHour)).toEqual(stored)
      expect(await try1(ada, NOON + 60 * MINUTE, 'r', 'f', perHour)).toEqual(over)
    })

    verifies('GOV-9', 'allows a tool so many calls at once, and one more when one of them ends', async () => {
      const concurrent = { concurrent: 2 }
      const ada = await open(it.store, 'r')
      const bob = await open(it.store, 'q', { id: 'bob' })
      expect(await try1(ada, NOON, 'r', 'a', concurrent)).toEqual(stored)
      expect(await try1(bob, NOON, 'q', 'b', concurrent)).toEqual(stored)
      const over = { kind: 'over', what: 'concurrent', tool: 'search', limit: 2, left: 0 }
      expect(await try1(ada, NOON, 'r', 'c', concurrent)).toEqual(over)
      await bob.write(...noon(paid('q', 'b', 0)))
      expect(await try1(ada, NOON, 'r', 'c', concurrent)).toEqual(stored)
    })

    verifies('GOV-9', 'counts each call of one change', async () => {
      const writer = await open(it.store, 'r')
      const quota = { concurrent: 2 }
      const three = ['a', 'b', 'c'].flatMap((id) => call('r', id, 0, quota))
      expect(await it.store.commit(writer.change(noon(...three)))).toMatchObject({ kind: 'over', what: 'concurrent' })
      await writer.write(...noon(...three.slice(0, 4)))
    })

    verifies('GOV-9', 'counts a call that was asked for long before it starts', async () => {
      const writer = await open(it.store, 'r')
      await writer.write(...noon(called('r', 'a', 'mail'), called('r', 'b', 'mail')))
      await writer.write(...noon(said(), said()))
      await writer.write(...noon(begun('r', 'a', 0, { perHour: 1 }, 'mail')))
      const answer = await it.store.commit(writer.change(noon(begun('r', 'b', 0, { perHour: 1 }, 'mail'))))
      expect(answer).toMatchObject({ kind: 'over', what: 'hourly', tool: 'mail' })
    })

    verifies('GOV-9', 'does not hide that money is short', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyToolCost: 5 }))
      const events = noon(...call('r', 'a', 6, { perHour: 9 }))
      expect(await it.store.commit(writer.change(events))).toMatchObject({ kind: 'over', what: 'tools', left: 5 })
    })
  })
}
