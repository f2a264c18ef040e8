import { beforeEach, describe, expect, test } from 'vitest'
import type { Automation } from '../../../src/contract/automation.ts'
import { newId } from '../../../src/lib/id.ts'
import { add, automation, recorded, recordOf, revised, secretOf } from './automation-facts.ts'
import { claimOf } from './facts.ts'
import type { Subject } from './subject.ts'

const MOST = { most: 1000 }

export function automationSecretSuite(it: Subject): void {
  describe('the secret of an automation', () => {
    let one: Automation
    beforeEach(async () => {
      one = automation('hook', { name: 'orders' })
      await it.store.claimSecretKey('k1')
    })

    test('is stored with it, also after a restart', async () => {
      expect(await it.store.addAutomation(one, { ...MOST, secret: secretOf(one) })).toBe('stored')
      expect(await it.store.secret('acme', secretOf(one).name)).toEqual(secretOf(one))
      expect(await (await it.reopen()).secrets()).toEqual([secretOf(one)])
    })

    test('under an earlier key keeps it from being stored, and nothing else is', async () => {
      const more = { ...MOST, claim: claimOf('once'), audit: [recordOf(one.id)] }
      const stale = secretOf(one, { keyId: 'k0' })
      expect(await it.store.addAutomation(one, { ...more, secret: stale })).toBe('stale')
      expect(await it.store.automation('acme', one.id)).toBeUndefined()
      expect([await it.store.secrets(), await recorded(it.store)]).toEqual([[], []])
      expect(await it.store.addAutomation(one, { ...more, secret: secretOf(one) })).toBe('stored')
      const changes = { secret: stale, audit: [recordOf(one.id)] }
      expect(await it.store.changeAutomation(revised(one), changes)).toBe('stale')
      expect(await it.store.automation('acme', one.id)).toEqual(one)
      expect([await it.store.secrets(), await recorded(it.store)]).toEqual([[secretOf(one)], [one.id]])
    })

    test('stays, is replaced or is taken away by a change', async () => {
      await it.store.addAutomation(one, { ...MOST, secret: secretOf(one) })
      const another = secretOf(one, { encrypted: 'bmV3', updatedAt: 5 })
      const left: unknown[] = []
      let now = one
      for (const more of [
        undefined,
        {},
        { secret: another },
        { secret: null },
        { secret: null },
        { secret: another },
      ]) {
        now = revised(now)
        expect(await it.store.changeAutomation(now, more)).toBe('stored')
        left.push(await it.store.secrets())
      }
      expect(left).toEqual([[secretOf(one)], [secretOf(one)], [another], [], [], [another]])
    })

    test('stays as it was where nothing was stored', async () => {
      const other = automation('hook', { name: 'others' })
      await it.store.addAutomation(one, { ...MOST, secret: secretOf(one) })
      await add(it.store, other)
      const refusals = [
        await it.store.changeAutomation(one, { secret: secretOf(one, { encrypted: 'bmV3' }) }),
        await it.store.changeAutomation({ ...one, revision: 7 }, { secret: null }),
        await it.store.changeAutomation(revised(one, { name: 'others' }), { secret: null }),
        await it.store.changeAutomation(revised(other, { name: 'orders' }), { secret: secretOf(other) }),
        await it.store.addAutomation({ ...one, id: other.id }, { ...MOST, secret: secretOf(other) }),
        await it.store.addAutomation(automation('hook', { id: other.id }), { most: 2, secret: secretOf(other) }),
      ]
      expect(refusals).toEqual(['changed', 'changed', 'taken', 'taken', 'taken', 'many'])
      expect(await it.store.secrets()).toEqual([secretOf(one)])
    })

    test('goes with it, and no other does', async () => {
      const [other, workflow] = [automation('hook', { name: 'others' }), automation('workflow')]
      const foreign = { ...secretOf(one), tenant: 'rival' }
      for (const each of [one, other, workflow]) await it.store.addAutomation(each, { ...MOST, secret: secretOf(each) })
      await it.store.putSecret(foreign)
      expect(await it.store.removeAutomation('rival', one.id)).toBe(false)
      expect(await it.store.secrets()).toHaveLength(4)
      expect(await it.store.removeAutomation('acme', one.id)).toBe(true)
      const names = (await it.store.secrets()).map(({ tenant, name }) => [tenant, name])
      expect(names).toEqual([
        ['acme', secretOf(other).name],
        ['acme', secretOf(workflow).name],
        ['rival', foreign.name],
      ])
    })

    test('is under the key in force, however many are stored while another one comes into force', async () => {
      const second = await it.second()
      const before = automation('workflow')
      await it.store.addAutomation(before, { ...MOST, secret: secretOf(before) })
      const added = Array.from({ length: 10 }, () => automation('workflow', { id: newId() }))
      const storing = added.map((each) => second.addAutomation(each, { ...MOST, secret: secretOf(each) }))
      const changing = second.changeAutomation(revised(before), { secret: secretOf(before, { encrypted: 'bmV3' }) })
      const under = { before: secretOf(before), after: secretOf(before, { keyId: 'k2' }) }
      const isInForce = await it.store.reencryptSecrets('k2', [under])
      const answers = [...(await Promise.all(storing)), await changing]
      const keys = new Set((await it.store.secrets()).map(({ keyId }) => keyId))
      expect(keys).toEqual(new Set([isInForce ? 'k2' : 'k1']))
      const stored = answers.slice(0, 10).filter((answer) => answer === 'stored').length
      expect((await it.store.automations({ tenant: 'acme', kind: 'workflow' })).items).toHaveLength(1 + stored)
      expect(await it.store.secrets()).toHaveLength(1 + stored)
    })
  })
}
