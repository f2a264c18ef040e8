import { describe, expect, test } from 'vitest'
import { AUTOMATION_KINDS, type Automation } from '../../../src/contract/automation.ts'
import { newId } from '../../../src/lib/id.ts'
import { add, automation, recorded, recordOf, revised, tally } from './automation-facts.ts'
import { claimOf } from './facts.ts'
import { NOON } from './money-facts.ts'
import type { Subject } from './subject.ts'

const MOST = { most: 1000 }

export function automationSuite(it: Subject): void {
  const ids = async (kind: Automation['kind'] = 'workflow', tenant = 'acme'): Promise<string[]> =>
    (await it.store.automations({ tenant, kind })).items.map(({ id }) => id)

  describe('an automation', () => {
    test.each(AUTOMATION_KINDS)('of the kind %s is found as it was stored, also after a restart', async (kind) => {
      const one = automation(kind, {
        ...(kind !== 'trigger' && { name: 'resize' }),
        status: 'disabled',
        reason: 'It is "broken" 🌍\0',
        ...(kind === 'schedule' && { dueAt: NOON + 5 }),
      })
      expect(await it.store.addAutomation(one, MOST)).toBe('stored')
      const found = async (): Promise<unknown[]> => [
        await it.store.automation('acme', one.id),
        await it.store.automationNamed('acme', kind, 'resize'),
        (await it.store.automations({ tenant: 'acme', kind })).items,
      ]
      const wished = [one, one.name === undefined ? undefined : one, [one]]
      expect(await found()).toEqual(wished)
      await it.reopen()
      expect(await found()).toEqual(wished)
    })

    test('is found by nobody else, and nobody else changes or removes it', async () => {
      const one = automation('workflow', { name: 'resize' })
      await it.store.addAutomation(one, MOST)
      expect(await it.store.automation('rival', one.id)).toBeUndefined()
      expect(await it.store.automationNamed('rival', 'workflow', 'resize')).toBeUndefined()
      expect(await it.store.automationNamed('acme', 'hook', 'resize')).toBeUndefined()
      expect(await ids('workflow', 'rival')).toEqual([])
      expect(await it.store.activeAutomations(['workflow'], 'rival')).toEqual([])
      expect(await it.store.changeAutomation(revised(one, { tenant: 'rival' }))).toBe('changed')
      expect(await it.store.removeAutomation('rival', one.id, [recordOf(one.id)])).toBe(false)
      expect(await it.store.automation('acme', one.id)).toEqual(one)
      expect(await recorded(it.store)).toEqual([])
    })

    test('is removed once, and that is recorded once', async () => {
      const [one, other] = [automation('hook', { name: 'a' }), automation('hook', { name: 'b' })]
      await add(it.store, one, other)
      const stores = [it.store, await it.second()]
      const removals = stores.map((store) => store.removeAutomation('acme', one.id, [recordOf(one.id)]))
      expect((await Promise.all(removals)).filter((isRemoved) => isRemoved)).toHaveLength(1)
      expect(await it.store.removeAutomation('acme', newId(), [recordOf('none')])).toBe(false)
      expect(await it.store.automation('acme', one.id)).toBeUndefined()
      expect(await it.store.changeAutomation(revised(one))).toBe('changed')
      expect(await ids('hook')).toEqual([other.id])
      expect(await recorded(it.store)).toEqual([one.id])
    })

    test('leaves a store that checks out', async () => {
      for (const kind of AUTOMATION_KINDS) await add(it.store, automation(kind), automation(kind, { name: 'n' }))
      expect((await it.store.check()).findings).toEqual([])
      const [one] = await it.store.activeAutomations(['hook'])
      expect(await it.store.removeAutomation('acme', one?.id ?? '')).toBe(true)
      expect((await it.store.check()).findings).toEqual([])
    })
  })

  describe('the name of an automation', () => {
    test('is taken among its kind in its tenant, whatever became of who has it', async () => {
      const one = automation('workflow', { name: 'resize', status: 'disabled' })
      await it.store.addAutomation(one, MOST)
      const again = automation('workflow', { name: 'resize' })
      const more = { ...MOST, claim: claimOf('once'), audit: [recordOf(again.id)] }
      expect(await it.store.addAutomation(again, more)).toBe('taken')
      expect(await it.store.automation('acme', again.id)).toBeUndefined()
      expect(await it.store.findClaim('once')).toBeUndefined()
      expect(await recorded(it.store)).toEqual([])
      await add(it.store, automation('hook', { name: 'resize' }), { ...again, id: newId(), tenant: 'rival' })
      await add(it.store, automation('workflow', { name: 'Resize' }))
      await it.store.removeAutomation('acme', one.id)
      expect(await it.store.addAutomation(again, more)).toBe('stored')
    })

    test('may be missing in any number of them', async () => {
      await add(it.store, automation('trigger'), automation('trigger'), automation('workflow'), automation('workflow'))
      expect(await ids('trigger')).toHaveLength(2)
    })

    test('goes to one of those who want it at the same moment', async () => {
      const stores = [it.store, await it.second()]
      const wanted = Array.from({ length: 20 }, () => automation('hook', { name: 'orders' }))
      const answers = await Promise.all(
        wanted.map((one, i) => (stores[i % 2] ?? it.store).addAutomation(one, { ...MOST, audit: [recordOf(one.id)] })),
      )
      expect(tally(answers)).toEqual({ stored: 1, taken: 19 })
      expect(await ids('hook')).toEqual([wanted[answers.indexOf('stored')]?.id])
      expect(await recorded(it.store)).toEqual(await ids('hook'))
    })

    test('is taken from nobody by a change, and then nothing changes', async () => {
      const [one, other] = [automation('hook', { name: 'a' }), automation('hook', { name: 'b' })]
      await add(it.store, one, other)
      const renamed = revised(other, { name: 'a', status: 'disabled' })
      expect(await it.store.changeAutomation(renamed, { audit: [recordOf(other.id)] })).toBe('taken')
      expect(await it.store.automation('acme', other.id)).toEqual(other)
      expect(await recorded(it.store)).toEqual([])
      expect(await it.store.changeAutomation(revised(one))).toBe('stored')
      expect(await it.store.changeAutomation({ ...renamed, name: 'c' })).toBe('stored')
      expect(await it.store.automationNamed('acme', 'hook', 'b')).toBeUndefined()
    })

    test('goes to one of those who are called so at the same moment', async () => {
      const all = Array.from({ length: 6 }, (_, i) => automation('workflow', { name: `n${i}` }))
      await add(it.store, ...all)
      const stores = [it.store, await it.second()]
      const answers = await Promise.all(
        all.map((one, i) => (stores[i % 2] ?? it.store).changeAutomation(revised(one, { name: 'x' }))),
      )
      expect(tally(answers)).toEqual({ stored: 1, taken: 5 })
      const { id } = all[answers.indexOf('stored')] ?? {}
      expect(await it.store.automationNamed('acme', 'workflow', 'x')).toMatchObject({ id, revision: 2 })
    })
  })

  describe('a limit of automations', () => {
    test('is kept, whatever became of those that are there, and each kind and tenant has its own', async () => {
      const [first, second] = [automation('trigger', { status: 'disabled' }), automation('trigger')]
      for (const one of [first, second]) expect(await it.store.addAutomation(one, { most: 2 })).toBe('stored')
      const one = automation('trigger')
      const more = { most: 2, claim: claimOf('once'), audit: [recordOf(one.id)] }
      expect(await it.store.addAutomation(one, more)).toBe('many')
      expect([await ids('trigger'), await recorded(it.store)]).toEqual([[second.id, first.id], []])
      expect(await it.store.addAutomation(automation('schedule'), { most: 1 })).toBe('stored')
      expect(await it.store.addAutomation({ ...one, id: newId(), tenant: 'rival' }, { most: 1 })).toBe('stored')
      await it.store.removeAutomation('acme', first.id)
      expect(await it.store.addAutomation(one, more)).toBe('stored')
    })

    test('is not passed by a hundred that are added at once', async () => {
      const stores = [it.store, await it.second()]
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          (stores[i % 2] ?? it.store).addAutomation(automation('workflow', { name: `n${i}` }), { most: 10 }),
        ),
      )
      expect(tally(answers)).toEqual({ stored: 10, many: 90 })
      expect(await ids()).toHaveLength(10)
    })
  })

  describe('the claim of an automation', () => {
    test('stores one of all that are added under it, also at the same moment', async () => {
      const stores = [it.store, await it.second()]
      const wanted = Array.from({ length: 10 }, () => automation('schedule'))
      const answers = await Promise.all(
        wanted.map((one, i) => {
          const claim = claimOf('once', { result: { id: one.id } })
          return (stores[i % 2] ?? it.store).addAutomation(one, { ...MOST, claim, audit: [recordOf(one.id)] })
        }),
      )
      expect(tally(answers)).toEqual({ stored: 1, repeated: 9 })
      const [id] = await ids('schedule')
      expect(await ids('schedule')).toEqual([wanted[answers.indexOf('stored')]?.id])
      expect(answers.filter((one) => one !== 'stored')).toEqual(
        Array.from({ length: 9 }, () => ({ kind: 'repeated', claim: claimOf('once', { result: { id: id ?? '' } }) })),
      )
      expect(await recorded(it.store)).toEqual([id])
    })
  })

  describe('a change of an automation', () => {
    test('is stored whole, also what it takes away, with its record', async () => {
      const one = automation('schedule', { name: 'daily', dueAt: NOON, status: 'disabled', reason: 'broken' })
      await it.store.addAutomation(one, MOST)
      const { name: _, reason: __, dueAt: ___, ...rest } = one
      const body = { ...one.body, cron: '1 1 1 1 1' }
      const changed: Automation = { ...rest, status: 'active', permissions: [], updatedAt: NOON + 9, revision: 2, body }
      expect(await it.store.changeAutomation(changed, { audit: [recordOf(one.id)] })).toBe('stored')
      expect(await it.store.automation('acme', one.id)).toEqual(changed)
      expect(await (await it.reopen()).automation('acme', one.id)).toEqual(changed)
      expect(await recorded(it.store)).toEqual([one.id])
    })

    test('is refused if it is of another revision, kind or of none, and then nothing is stored', async () => {
      const one = automation('hook', { name: 'orders' })
      const now = revised(one)
      await it.store.addAutomation(one, MOST)
      expect(await it.store.changeAutomation(now)).toBe('stored')
      const wrong: Automation[] = [now, one, { ...now, revision: 4 }, revised(automation('hook'))]
      for (const each of [...wrong, automation('workflow', { id: one.id, revision: 3 })]) {
        const disabled: Automation = { ...each, status: 'disabled' }
        expect(await it.store.changeAutomation(disabled, { audit: [recordOf(one.id)] })).toBe('changed')
      }
      expect(await it.store.automation('acme', one.id)).toEqual(now)
      expect([await ids('hook'), await ids(), await recorded(it.store)]).toEqual([[one.id], [], []])
    })

    test('of the clock keeps the revision, and is seen by whoever looked before it all the same', async () => {
      const one = automation('schedule', { dueAt: NOON })
      await it.store.addAutomation(one, MOST)
      const moved = { ...one, dueAt: NOON + 60 }
      expect(await it.store.changeAutomation(moved, { was: one })).toBe('stored')
      for (const late of [moved, revised(one)])
        expect(await it.store.changeAutomation(late, { was: one })).toBe('changed')
      expect(await it.store.automation('acme', one.id)).toEqual(moved)
      const { dueAt: _, ...over } = moved
      expect(await it.store.changeAutomation(over, { was: moved })).toBe('stored')
      expect(await it.store.changeAutomation(revised(over), { was: moved })).toBe('changed')
      expect(await it.store.changeAutomation(revised(over), { was: over })).toBe('stored')
    })

    test('is the only one of its revision, however many come at the same moment', async () => {
      const one = automation('workflow', { name: 'resize' })
      await it.store.addAutomation(one, MOST)
      const stores = [it.store, await it.second()]
      const changes = Array.from({ length: 20 }, (_, i) => revised(one, { reason: `reason ${i}` }))
      const answers = await Promise.all(
        changes.map((change, i) =>
          (stores[i % 2] ?? it.store).changeAutomation(change, { audit: [recordOf(`of-${i}`)] }),
        ),
      )
      expect(tally(answers)).toEqual({ stored: 1, changed: 19 })
      const winner = answers.indexOf('stored')
      expect(await it.store.automation('acme', one.id)).toEqual(changes[winner])
      expect(await recorded(it.store)).toEqual([`of-${winner}`])
    })

    test('leaves creator and beginning as they were', async () => {
      const one = automation('trigger')
      await it.store.addAutomation(one, MOST)
      await it.store.changeAutomation(revised(one, { createdBy: 'eve', createdAt: 1 }))
      expect(await it.store.automation('acme', one.id)).toEqual({ ...one, revision: 2 })
    })
  })
}
