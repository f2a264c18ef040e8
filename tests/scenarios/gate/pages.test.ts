import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { asked, decided, ended, started, unknown } from '../../conformance/store/facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { tempFolder } from '../workspace/support.ts'

const eve: Actor = { ...LOCAL_OWNER, id: 'eve' }
const MANY = 1100

/** A Segno in whose past a great deal was asked, and many calls are in doubt. */
async function longPast() {
  const home = tempFolder()
  const store = await openStoreOf(home)
  const writer = await SessionWriter.create(store, { actor: { id: LOCAL_OWNER.id, tenant: LOCAL_OWNER.tenant } })
  const ids = Array.from({ length: MANY }, (_, i) => `a${i}`)
  await writer.write(started('r'), ...ids.map((id) => asked('r', id)), ...ids.map((id) => unknown('r', `of ${id}`)))
  await writer.write(decided('r', 'a0', 'deny'), ended('r'))
  await store.close()
  return { ids, segno: await composeUnderTest({ home, env: {}, durability: 'normal', builtInTools: false }) }
}

test('approvals and calls in doubt come page by page, or all of them, and only to who they belong to', async () => {
  const { ids, segno } = await longPast()
  try {
    const { rounds } = segno
    const pending = ids.slice(1)
    const first = await rounds.approvalPage(LOCAL_OWNER, { status: 'pending', limit: 2 })
    const second = await rounds.approvalPage(LOCAL_OWNER, { status: 'pending', limit: 2, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(pending.slice(0, 4))
    expect((await rounds.approvalPage(LOCAL_OWNER)).items.map(({ id }) => id)).toEqual(ids.slice(-50).toReversed())
    expect((await rounds.approvals(LOCAL_OWNER, 'pending')).map(({ id }) => id)).toEqual(pending)
    expect((await rounds.approvals(LOCAL_OWNER)).map(({ id }) => id)).toEqual(ids)
    expect((await rounds.approvals(LOCAL_OWNER, 'denied')).map(({ id }) => id)).toEqual(['a0'])

    const calls = await rounds.unknownCallPage(LOCAL_OWNER, { limit: 1 })
    expect(calls.items.map(({ callId }) => callId)).toEqual(['of a0'])
    const next = await rounds.unknownCallPage(LOCAL_OWNER, { limit: 1, cursor: calls.next ?? '' })
    expect(next.items.map(({ callId }) => callId)).toEqual(['of a1'])
    expect(await rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(MANY)

    expect(await rounds.approvalPage(eve)).toEqual({ items: [], next: null })
    expect(await rounds.unknownCallPage(eve)).toEqual({ items: [], next: null })
    const noChat: Actor = { ...LOCAL_OWNER, permissions: ['audit:read'] }
    for (const page of [rounds.approvalPage, rounds.unknownCallPage]) {
      expect((await problemOf(page(noChat))).code).toBe('PERMISSION_DENIED')
      for (const limit of [0, -1, 1.5, Number.NaN])
        expect(await problemOf(page(LOCAL_OWNER, { limit }))).toMatchObject({
          code: 'VALIDATION_ERROR',
          field: 'limit',
        })
      const strange = await problemOf(page(LOCAL_OWNER, { cursor: 'x' }))
      expect(strange).toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' })
    }
  } finally {
    await segno.close()
  }
})
