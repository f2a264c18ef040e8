import { describe, expect, test } from 'vitest'
import type { Automation } from '../../../src/contract/automation.ts'
import type { AutomationQuery } from '../../../src/store/index.ts'
import { add, automation, revised } from './automation-facts.ts'
import { NOON } from './money-facts.ts'
import type { Subject } from './subject.ts'

const idsOf = (automations: readonly Automation[]): string[] => automations.map(({ id }) => id)

export function automationListSuite(it: Subject): void {
  describe('a list of automations', () => {
    const list = async (query: Partial<AutomationQuery> = {}) => {
      const { items, next } = await it.store.automations({ tenant: 'acme', kind: 'workflow', ...query })
      return { ids: idsOf(items), next }
    }

    test('has those of a kind in a tenant, the newest first', async () => {
      const [first, second] = [automation('workflow', { createdAt: NOON + 9 }), automation('workflow')]
      await add(it.store, first, automation('hook'), automation('workflow', { tenant: 'rival' }), second)
      expect(await list()).toEqual({ ids: [second.id, first.id], next: null })
      expect((await list({ kind: 'trigger' })).ids).toEqual([])
    })

    test('has those of a status only, if it is asked for', async () => {
      const [active, disabled, deprecated] = (['active', 'disabled', 'deprecated'] as const).map((status) =>
        automation('workflow', { status }),
      ) as [Automation, Automation, Automation]
      await add(it.store, active, disabled, deprecated)
      expect((await list({ status: 'disabled' })).ids).toEqual([disabled.id])
      await it.store.changeAutomation(revised(disabled, { status: 'active' }))
      expect((await list({ status: 'disabled' })).ids).toEqual([])
      expect((await list({ status: 'active' })).ids).toEqual([disabled.id, active.id])
    })

    test('is read in pages, from which neither new, removed nor changed ones take anything', async () => {
      const all = Array.from({ length: 7 }, (_, i) => automation('workflow', { name: `n${i}` }))
      const [oldest, , , middle] = all as [Automation, Automation, Automation, Automation]
      await add(it.store, ...all)
      const first = await list({ limit: 3 })
      expect(first.ids).toEqual(idsOf(all.slice(4).toReversed()))
      await add(it.store, automation('workflow'))
      await it.store.changeAutomation(revised(oldest, { name: 'another' }))
      await it.store.removeAutomation('acme', middle.id)
      const second = await list({ limit: 3, cursor: first.next ?? '' })
      expect(second).toEqual({ ids: idsOf(all.slice(0, 3).toReversed()), next: null })
    })

    test('has a next page only if there is something on it', async () => {
      await add(it.store, automation('workflow'), automation('workflow'))
      expect((await list({ limit: 2 })).next).toBeNull()
      const { next } = await list({ limit: 1 })
      expect((await list({ limit: 1, cursor: next ?? '' })).next).toBeNull()
    })

    test('is not read on from what is no cursor', async () => {
      await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    })
  })

  describe('those of a name', () => {
    test('are the active ones of their kind in all tenants, so many at most', async () => {
      const all = ['acme', 'rival', 'third'].map((tenant) => automation('hook', { tenant, name: 'orders' }))
      const disabled = automation('hook', { tenant: 'fourth', name: 'orders', status: 'disabled' })
      const deprecated = automation('hook', { tenant: 'fifth', name: 'orders', status: 'deprecated' })
      await add(it.store, disabled, deprecated, automation('workflow', { name: 'orders' }))
      await add(it.store, automation('hook', { name: 'order' }), automation('hook'), ...all)
      expect(await it.store.automationsNamed('hook', 'orders', 9)).toEqual(all)
      expect(await it.store.automationsNamed('hook', 'orders', 2)).toEqual(all.slice(0, 2))
      expect(await it.store.automationsNamed('hook', 'nothing', 2)).toEqual([])
    })
  })

  describe('the active ones', () => {
    test('are those of the kinds that are asked for, of all tenants or of one', async () => {
      const [trigger, webhook, schedule] = [automation('trigger'), automation('webhook'), automation('schedule')]
      const foreign = automation('trigger', { tenant: 'rival' })
      const disabled = automation('trigger', { status: 'disabled' })
      await add(
        it.store,
        trigger,
        webhook,
        disabled,
        schedule,
        foreign,
        automation('webhook', { status: 'deprecated' }),
      )
      expect(await it.store.activeAutomations(['trigger', 'webhook'])).toEqual([trigger, webhook, foreign])
      expect(await it.store.activeAutomations(['trigger', 'webhook'], 'acme')).toEqual([trigger, webhook])
      expect(await it.store.activeAutomations(['schedule'], 'rival')).toEqual([])
      expect(await it.store.activeAutomations([])).toEqual([])
      await it.store.changeAutomation(revised(disabled, { status: 'active' }))
      await it.store.changeAutomation(revised(trigger, { status: 'disabled' }))
      expect(idsOf(await it.store.activeAutomations(['trigger']))).toEqual([disabled.id, foreign.id])
    })
  })

  describe('the due ones', () => {
    const due = async (now = NOON, limit = 9): Promise<string[]> => idsOf(await it.store.dueAutomations(now, limit))

    test('are the active ones whose time has come in all tenants, the longest due first', async () => {
      const [late, later, latest] = [NOON - 9, NOON - 5, NOON].map((dueAt) => automation('schedule', { dueAt })) as [
        Automation,
        Automation,
        Automation,
      ]
      const foreign = automation('schedule', { tenant: 'rival', dueAt: NOON - 5 })
      await add(it.store, latest, later, automation('schedule'), automation('schedule', { dueAt: NOON + 1 }))
      await add(it.store, foreign, late, automation('schedule', { dueAt: NOON - 7, status: 'disabled' }))
      expect(await due()).toEqual([late, later, foreign, latest].map(({ id }) => id))
      expect(await due(NOON, 2)).toEqual([late.id, later.id])
      expect(await due(NOON - 10)).toEqual([])
    })

    test('are so until their time is another one, or none', async () => {
      const one = automation('schedule', { dueAt: NOON })
      await it.store.addAutomation(one, { most: 1 })
      const moved = revised(one, { dueAt: NOON + 60_000 })
      await it.store.changeAutomation(moved)
      expect([await due(), await due(NOON + 60_000)]).toEqual([[], [one.id]])
      const { dueAt: _, ...rest } = revised(moved)
      await it.store.changeAutomation(rest)
      expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([])
    })
  })

  test('a signed message is for the one it was first for, however many come at once', async () => {
    const second = await it.second()
    const claims = Array.from({ length: 10 }, (_, n) => ({ key: 'signed m1', hash: `run ${n}`, result: null }))
    const first = await Promise.all(
      claims.map((claim, n) => (n % 2 === 0 ? it.store : second).claimMessage(claim, NOON)),
    )
    const [winner] = first
    expect(claims).toContainEqual(winner)
    expect(new Set(first.map(({ hash }) => hash)).size).toBe(1)
    expect(await it.store.claimMessage({ key: 'signed m1', hash: 'another', result: null }, NOON)).toEqual(winner)
    const other = { key: 'signed m2', hash: 'another', result: null }
    expect(await it.store.claimMessage(other, NOON)).toEqual(other)
  })
}
