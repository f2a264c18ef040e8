import { describe, expect, test } from 'vitest'
import { invocation, revised, run } from './automation-facts.ts'
import { NOON } from './money-facts.ts'
import type { Subject } from './subject.ts'

export function invocationSuite(it: Subject): void {
  describe('how the newest runs of a workflow went', () => {
    const query = { tenant: 'acme', automationId: 'w', since: NOON, limit: 9 }

    test('is known of those since a time, newest first, with how long each took', async () => {
      const startedAt = NOON + 10
      const [first] = await run(
        it.store,
        invocation({ createdAt: NOON + 1 }),
        invocation({ createdAt: NOON, status: 'failure', endedAt: NOON + 9 }),
        invocation({ createdAt: NOON + 2, status: 'running', startedAt, userId: 'bob' }),
        invocation({ createdAt: NOON + 2, status: 'success', startedAt, endedAt: NOON + 47 }),
        invocation({ createdAt: NOON + 3, status: 'failure', endedAt: NOON + 9 }),
        invocation({ createdAt: NOON + 4, automationId: 'another' }),
        invocation({ createdAt: NOON + 5, tenant: 'rival' }),
      )
      const wished = [
        { status: 'failure', userId: 'ada', createdAt: NOON + 3 },
        { status: 'success', userId: 'ada', createdAt: NOON + 2, tookMs: 37 },
        { status: 'running', userId: 'bob', createdAt: NOON + 2 },
        { status: 'pending', userId: 'ada', createdAt: NOON + 1 },
      ]
      expect(await it.store.invocationEnds(query)).toEqual(wished)
      expect(await it.store.invocationEnds({ ...query, limit: 2 })).toEqual(wished.slice(0, 2))
      expect(await it.store.invocationEnds({ ...query, automationId: 'nothing' })).toEqual([])
      if (!first) throw new Error('none was stored')
      const ended = revised(first, { status: 'timeout', startedAt, endedAt: NOON + 11 })
      expect(await it.store.changeInvocation(ended)).toBe(true)
      await it.reopen()
      expect((await it.store.invocationEnds(query)).at(-1)).toMatchObject({ status: 'timeout', tookMs: 1 })
    })

    test('is still known when what they were given is erased', async () => {
      await run(
        it.store,
        invocation({ createdAt: NOON + 1, status: 'success', startedAt: NOON + 1, endedAt: NOON + 2 }),
      )
      await it.store.eraseInvocations('acme', 'ada')
      expect(await it.store.invocationEnds(query)).toEqual([
        { status: 'success', userId: 'ada', createdAt: NOON + 1, tookMs: 1 },
      ])
    })
  })
}
