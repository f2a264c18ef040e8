import { expect, onTestFinished } from 'vitest'
import { startJobs } from '../../../src/job/index.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Coordinator } from '../../../src/round/index.ts'
import { DAY, NOON } from '../../conformance/store/money-facts.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempFolder } from '../workspace/support.ts'

const SOON = { timeout: 10_000 }

/** Nobody is at work here. */
const idle = { rescue: async () => {}, sweep: () => {} } as unknown as Coordinator

verifies(
  'GOV-18',
  'what the outbox has of a memory is forgotten a week after, whether somebody read it or not',
  async () => {
    const store = await openStoreOf(tempFolder())
    onTestFinished(() => store.close())
    for (const at of [NOON, NOON + 1]) {
      const id = newId()
      const whose = { tenant: 'local', userId: 'ada' }
      const about = { category: 'fact', importance: 5, status: 'active', method: 'user', source: 'user' } as const
      const created = { id, type: 'memory.created', ...whose, at, payload: { memoryId: id } } as const
      await store.putMemory({ id, ...whose, ...about, content: `The ${at}`, createdAt: at }, { outbox: [created] })
    }
    const jobs = startJobs(store, idle, { now: () => NOON + 7 * DAY + 1 })
    onTestFinished(() => jobs.stop())
    expect(await store.outbox(0, 9)).toHaveLength(2)
    await jobs.tick()
    expect(await store.outbox(0, 9)).toMatchObject([{ at: NOON + 1 }])
  },
)

verifies(
  'REL-8',
  'a tenant whose events take long to tell keeps no other waiting, and has them told in order',
  async () => {
    const store = await openStoreOf(tempFolder())
    onTestFinished(() => store.close())
    const gate = Promise.withResolvers<void>()
    const told: string[] = []
    const jobs = startJobs(
      store,
      idle,
      { now: () => NOON },
      {
        async tell({ tenant, type }) {
          if (tenant === 'slow') await gate.promise
          told.push(type)
        },
      },
    )
    onTestFinished(() => {
      gate.resolve()
      return jobs.stop()
    })
    const happens = async (tenant: string, type: string): Promise<unknown> =>
      store.addOutbox({ id: newId(), tenant, type, at: NOON, payload: {} })
    for (const type of ['slow.one', 'slow.two']) await happens('slow', type)
    await happens('quick', 'quick.one')
    await expect.poll(() => told, SOON).toEqual(['quick.one'])
    await happens('slow', 'slow.three')
    await happens('quick', 'quick.two')
    await expect.poll(() => told, SOON).toEqual(['quick.one', 'quick.two'])
    gate.resolve()
    await expect.poll(() => store.outbox(0, 9), SOON).toEqual([])
    expect(told.slice(2)).toEqual(['slow.one', 'slow.two', 'slow.three'])
  },
)

verifies(['GOV-16', 'REL-8'], 'what is erased while others are told is not told any more', async () => {
  const store = await openStoreOf(tempFolder())
  onTestFinished(() => store.close())
  const told: string[] = []
  for (const userId of ['ada', 'bob', 'ada'])
    await store.addOutbox({ id: newId(), tenant: 'local', userId, type: `of.${userId}`, at: NOON, payload: {} })
  const tell = async ({ type }: { readonly type: string }): Promise<void> => {
    told.push(type)
    await store.eraseInvocations('local', 'ada')
  }
  const jobs = startJobs(store, idle, { now: () => NOON }, { tell })
  onTestFinished(() => jobs.stop())
  await expect.poll(() => store.outbox(0, 9), SOON).toEqual([])
  expect(told).toEqual(['of.ada', 'of.bob'])
})
