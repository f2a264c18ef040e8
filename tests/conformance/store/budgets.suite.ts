import { describe, expect } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import { EVERYBODY } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { blob, claimOf, created, fileOf, attached, input, said, started } from './facts.ts'
import { again, at, begun, call, DAY, entitled, NOON, noon, open, paid, TODAY, turn, turned } from './money-facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function budgetSuite(it: Subject): void {
  const left = (userId = 'ada', time = NOON) => it.store.left('local', userId, time)

  describe('spending', () => {
    verifies('GOV-10', 'is counted per user and day, of models and of tools, also without an entitlement', async () => {
      const writer = await open(it.store, 'r')
      await writer.write(
        ...noon(turn('r', 1, 500, 90), turned('r', 1, 100, 20), ...call('r', 'c', 7), paid('r', 'c', 5)),
      )
      await writer.write(...at(NOON + DAY, turned('r', 2, 30, 1)))
      const bobs = await open(it.store, 'q', { id: 'bob' })
      await bobs.write(...noon(turned('q', 1, 8, 2)))
      const mine = { userId: 'ada', day: TODAY, tokens: 100, toolCost: 5, cost: 25 }
      const next = { userId: 'ada', day: '2026-07-25', tokens: 30, toolCost: 0, cost: 1 }
      const his = { userId: 'bob', day: TODAY, tokens: 8, toolCost: 0, cost: 2 }
      expect(await it.store.spending('local')).toEqual([next, mine, his])
      expect(await it.store.spending('rival')).toEqual([])
    })

    verifies('GOV-10', 'stays counted when the session is erased', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 1000 }))
      await writer.write(...noon(turn('r', 1, 500), turned('r', 1, 100, 0)))
      await writer.removeAndPurge()
      expect(await left()).toEqual({ tokens: 900, tools: null, cost: null })
      expect(await it.store.spending('local')).toMatchObject([{ tokens: 100 }])
    })

    verifies('GOV-9', 'never gives money back', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyToolCost: 100 }))
      await writer.write(...noon(...call('r', 'c', 50), paid('r', 'c', -5000)))
      expect(await left()).toMatchObject({ tools: 100 })
      await writer.write(...noon(...call('r', 'd', -5000)))
      expect(await left()).toMatchObject({ tools: 100 })
    })
  })

  describe('a budget', () => {
    verifies(
      'GOV-9',
      'refuses a change that sets aside more than is left, and then nothing of it is stored',
      async () => {
        const writer = await open(it.store, 'r')
        await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
        await writer.write(...noon(turn('r', 1, 90)))
        const one = input(writer.id)
        await it.store.putInput(one)
        const log = await writer.read()
        const file = blob()
        const audit = [auditRecord('message_received', { id: 'x', at: NOON, userId: 'ada', tenant: 'local' })]
        const more = {
          claim: claimOf('once'),
          blobs: [file],
          consumed: [one.id],
          jobs: [{ kind: 'purge', payload: {}, runAt: 0 }],
          audit,
        }
        const told: unknown[] = []
        const stop = it.store.subscribe((_, events) => told.push(events))
        const events = noon(turned('r', 1, 80, 0), attached(fileOf(file)), turn('r', 2, 21))
        const answer = await it.store.commit(writer.change(events, more))
        expect(answer).toEqual({ kind: 'over', what: 'tokens', limit: 100, left: 20 })
        expect(await writer.read()).toEqual(log)
        expect(told).toEqual([])
        expect(await it.store.findClaim('once')).toBeUndefined()
        expect(await it.store.blob(file.hash)).toBeUndefined()
        expect(await it.store.pendingInputs(writer.id)).toEqual([one])
        expect(await it.store.takeJob(NOON, 1)).toBeUndefined()
        expect((await it.store.auditPage({ tenant: 'local' })).items).toEqual([])
        expect(await left()).toMatchObject({ tokens: 10 })
        await writer.commit(noon(turned('r', 1, 80, 0), attached(fileOf(file)), turn('r', 2, 20)), more)
        expect(await left()).toMatchObject({ tokens: 0 })
        stop()
        expect((await it.store.check()).findings).toEqual([])
      },
    )

    verifies('GOV-9', 'refuses one change and not those stored with it', async () => {
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      const writers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => open(it.store, id)))
      const answers = await Promise.all(
        writers.map((writer, i) => it.store.commit(writer.change(noon(turn('abcde'[i] as string, 1, 30), said())))),
      )
      const kinds = answers.map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(['committed', 'committed', 'committed', 'over', 'over'])
      const lengths = await Promise.all(writers.map(async (writer) => (await writer.read()).length))
      expect(lengths).toEqual(kinds.map((kind) => (kind === 'committed' ? 4 : 2)))
      expect(await left()).toMatchObject({ tokens: 10 })
    })

    verifies('GOV-9', 'may be used to the last and no further', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyCost: 100 }))
      await writer.write(...noon(turn('r', 1, 0, 100)))
      const over = { kind: 'over', what: 'cost', limit: 100, left: 0 }
      expect(await it.store.commit(writer.change(noon(turn('r', 2, 0, 1))))).toEqual(over)
      await writer.write(...noon(turn('r', 2, 1_000_000, 0)))
    })

    verifies('GOV-9', 'of tools is that of tools, of cost that of models and tools', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyToolCost: 10, dailyCost: 100 }))
      await writer.write(...noon(turn('r', 1, 5, 60), ...call('r', 'c', 8)))
      expect(await left()).toEqual({ tokens: null, tools: 2, cost: 32 })
      const tool = await it.store.commit(writer.change(noon(...call('r', 'd', 3))))
      expect(tool).toEqual({ kind: 'over', what: 'tools', limit: 10, left: 2 })
      const model = await it.store.commit(writer.change(noon(turn('r', 2, 5, 33))))
      expect(model).toEqual({ kind: 'over', what: 'cost', limit: 100, left: 32 })
      await writer.write(...noon(turned('r', 1, 5, 50), paid('r', 'c', 4)))
      expect(await left()).toEqual({ tokens: null, tools: 6, cost: 46 })
    })

    verifies('GOV-9', 'that is overdrawn has nothing left, and does not stop what needs nothing of it', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 10, dailyToolCost: 10 }))
      await writer.write(...noon(turn('r', 1, 10), turned('r', 1, 15, 3)))
      expect(await left()).toEqual({ tokens: 0, tools: 10, cost: null })
      const over = { kind: 'over', what: 'tokens', limit: 10, left: 0 }
      expect(await it.store.commit(writer.change(noon(turn('r', 2, 1))))).toEqual(over)
      await writer.write(...noon(...call('r', 'c', 10)))
    })

    verifies(
      'GOV-9',
      'gets back what was set aside and not used, in time for what the same change sets aside',
      async () => {
        const writer = await open(it.store, 'r')
        await it.store.putEntitlement(entitled({ dailyCost: 100 }))
        await writer.write(...noon(...call('r', 'c', 100)))
        await writer.write(...noon(paid('r', 'c', 30), turn('r', 2, 0, 70)))
        expect(await left()).toMatchObject({ cost: 0 })
      },
    )

    verifies('GOV-9', 'has room for each of several calls of one change, or the change is refused', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyToolCost: 10 }))
      const both = noon(...call('r', 'c', 6), ...call('r', 'd', 6))
      expect(await it.store.commit(writer.change(both))).toMatchObject({ kind: 'over', what: 'tools', left: 4 })
      expect(await left()).toMatchObject({ tools: 10 })
    })

    verifies('GOV-9', 'refuses a change that creates a session, and then there is none', async () => {
      await it.store.putEntitlement(entitled({ dailyTokens: 10 }))
      const writer = new SessionWriter(it.store, 'fresh', 1, 0)
      const events = [created({ alias: 'door' }), started('r'), ...noon(turn('r', 1, 11))]
      expect(await it.store.commit(writer.change(events, { create: {} }))).toMatchObject({ kind: 'over', left: 10 })
      expect(await it.store.session('fresh')).toBeUndefined()
      await writer.commit([created({ alias: 'door' }), started('r'), ...noon(turn('r', 1, 10))], { create: {} })
      expect(await left()).toMatchObject({ tokens: 0 })
    })

    verifies('GOV-10', 'is that of a day in UTC, and what is settled counts on the day it was set aside', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      const midnight = NOON + DAY / 2
      await writer.write(...at(midnight - 1, turn('r', 1, 100)))
      expect(await left('ada', midnight - 1)).toMatchObject({ tokens: 0 })
      await writer.write(...at(midnight, turn('r', 2, 100)))
      await writer.write(...at(midnight + 1, turned('r', 1, 60, 0), turned('r', 2, 70, 0)))
      expect([await left('ada', midnight - 1), await left('ada', midnight)]).toMatchObject([
        { tokens: 40 },
        { tokens: 30 },
      ])
    })

    verifies('GOV-10', 'set at noon knows what was spent in the morning', async () => {
      const writer = await open(it.store, 'r')
      await writer.write(...noon(turn('r', 1, 500), turned('r', 1, 80, 0), ...call('r', 'c', 5)))
      await it.store.putEntitlement(entitled({ dailyTokens: 100, dailyToolCost: 10 }))
      expect(await left()).toEqual({ tokens: 20, tools: 10, cost: null })
      await writer.write(...noon(paid('r', 'c', 4)))
      expect(await left()).toMatchObject({ tools: 6 })
    })

    verifies('GOV-10', 'is the own one of a user, else that of everybody, else there is none', async () => {
      await it.store.putEntitlement(entitled({ userId: EVERYBODY, dailyTokens: 10 }))
      await it.store.putEntitlement(entitled({ userId: 'bob', dailyTokens: 20 }))
      await it.store.putEntitlement(entitled({ userId: 'eve' }))
      expect((await left()).tokens).toBe(10)
      expect((await left('bob')).tokens).toBe(20)
      expect((await left('eve')).tokens).toBeNull()
      expect((await it.store.left('rival', 'ada', NOON)).tokens).toBeNull()
      const tryOut = async (actor: { id?: string; tenant?: string }) => {
        const writer = await open(it.store, `r ${actor.id} ${actor.tenant}`, actor)
        const events = noon(turn(`r ${actor.id} ${actor.tenant}`, 1, 15))
        return (await it.store.commit(writer.change(events))).kind
      }
      expect(await tryOut({ id: 'ada' })).toBe('over')
      expect(await tryOut({ id: 'bob' })).toBe('committed')
      expect(await tryOut({ id: 'eve' })).toBe('committed')
      expect(await tryOut({ id: 'ada', tenant: 'rival' })).toBe('committed')
      expect((await it.store.entitlements('local')).map(({ userId }) => userId)).toEqual([EVERYBODY, 'bob', 'eve'])
      expect(await it.store.entitlement('local', 'zoe')).toMatchObject({ userId: EVERYBODY, dailyTokens: 10 })
      expect(await it.store.removeEntitlement('local', EVERYBODY, NOON)).toBe(true)
      expect(await it.store.removeEntitlement('local', EVERYBODY, NOON)).toBe(false)
      expect(await it.store.entitlement('local', 'zoe')).toBeUndefined()
    })

    verifies('GOV-10', 'of everybody is one for each of them', async () => {
      await it.store.putEntitlement(entitled({ userId: EVERYBODY, dailyTokens: 10 }))
      const ada = await open(it.store, 'r')
      await ada.write(...noon(turn('r', 1, 10)))
      expect([(await left('ada')).tokens, (await left('bob')).tokens]).toEqual([0, 10])
      await ada.write(...noon(turned('r', 1, 7, 0)))
      expect([(await left('ada')).tokens, (await left('bob')).tokens]).toEqual([3, 10])
    })

    verifies('GOV-10', 'can be changed, once under a claim, and is recorded with its change', async () => {
      const record = auditRecord('budget_changed', { id: 'x', at: NOON, userId: 'ada', tenant: 'local' })
      const beside = { claim: claimOf('once'), audit: [record] }
      expect(await it.store.putEntitlement(entitled({ dailyTokens: 1 }), beside)).toBe('stored')
      const answer = await it.store.putEntitlement(entitled({ dailyTokens: 2 }), beside)
      expect(answer).toMatchObject({ kind: 'repeated', claim: { key: 'once' } })
      expect(await it.store.entitlement('local', 'ada')).toEqual(entitled({ dailyTokens: 1 }))
      expect((await it.store.auditPage({ tenant: 'local' })).items).toHaveLength(1)
      await it.store.putEntitlement(entitled({ dailyCost: 3 }))
      expect(await it.store.entitlement('local', 'ada')).toEqual(entitled({ dailyCost: 3 }))
      expect(await it.store.removeEntitlement('local', 'bob', NOON, { audit: [record] })).toBe(false)
      expect((await it.store.auditPage({ tenant: 'local' })).items).toHaveLength(1)
    })

    verifies('GOV-9', 'and what is set aside of it are there after a restart', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyTokens: 100 }))
      await writer.write(...noon(turn('r', 1, 70), turned('r', 1, 10, 0), turn('r', 2, 70)))
      await it.reopen()
      expect(await left()).toMatchObject({ tokens: 20 })
      const next = await SessionWriter.claim(it.store, writer.id)
      const over = await it.store.commit(next.change(noon(again('r', 2, 21))))
      expect(over).toMatchObject({ kind: 'over', left: 20 })
    })

    verifies('GOV-9', 'has nothing set aside for a tool that costs nothing', async () => {
      const writer = await open(it.store, 'r')
      await it.store.putEntitlement(entitled({ dailyToolCost: 0 }))
      await writer.write(...noon(begun('r', 'c', 0), paid('r', 'c', 0)))
      expect(await it.store.forgetReservations(Infinity, 9)).toBe(0)
    })
  })
}
