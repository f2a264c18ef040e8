import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { Store } from '../../../src/store/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempHome } from '../library/support/open-segno.ts'
import { asking, type Asking } from './asking.ts'

const script = { scenarios: [{ when: '^stall', turns: [{ fault: { kind: 'stall' as const } }] }] }

/** What somebody who begins a conversation is answered, and what `/ready` says at the same moment. */
async function firstMessage(it: Asking): Promise<[message: number, ready: number]> {
  const { id } = await it.segno.createSession()
  const { status } = await it.http('POST', `/api/sessions/${id}/messages`, { content: 'hello' })
  return [status, (await it.http('GET', '/ready')).status]
}

verifies('COO-10', 'a server whose coordinators are all busy is not ready', async () => {
  const it = await asking({ script, limits: { MAX_COORDINATORS: 1 } })
  expect((await it.http('GET', '/ready')).status).toBe(200)
  await it.send('stall')
  expect(await firstMessage(it)).toEqual([429, 503])
  expect((await it.http('GET', '/ready')).body).toMatchObject({ ready: false, reason: 'full' })
})

test('a server without a queue is ready while there is a slot, and not when there is none', async () => {
  const it = await asking({ script, limits: { QUEUE_LENGTH: 0, MAX_ROUNDS: 1 } })
  expect((await it.http('GET', '/ready')).status).toBe(200)
  await it.send('stall')
  expect(await firstMessage(it)).toEqual([429, 503])
})

test('a server that could not store a message is not ready, until it could again', async () => {
  let isFull = false
  const failing = (store: Store): Store => ({
    ...store,
    commit: (change) =>
      isFull ? Promise.reject(new Problem('STORE_UNAVAILABLE', 'The disk is full.')) : store.commit(change),
  })
  const segno = await composeUnderTest(
    { home: tempHome(), env: {}, durability: 'normal', model: { scenarios: [] } },
    { store: (open) => failing(open()) },
  )
  const { id } = await segno.createSession()
  expect(await segno.readiness()).toEqual({})
  isFull = true
  await expect(segno.streamRequest(id, 'hello')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(await segno.readiness()).toEqual({ reason: 'store' })
  isFull = false
  await (
    await segno.streamRequest(id, 'hello')
  ).completion
  expect(await segno.readiness()).toEqual({})
  await segno.close()
})
