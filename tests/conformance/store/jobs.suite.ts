import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { Job } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function jobSuite(it: Subject): void {
  const queue = async (...jobs: [kind: string, runAt: number][]): Promise<void> => {
    const writer = await SessionWriter.create(it.store)
    await writer.commit([said()], { jobs: jobs.map(([kind, runAt]) => ({ kind, runAt, payload: { of: kind } })) })
  }
  const take = async (now: number, leaseMs = 1000): Promise<Job> => {
    const job = await it.store.takeJob(now, leaseMs)
    if (!job) throw new Error(`no job is due at ${now}`)
    return job
  }

  describe('a job', () => {
    test('is taken as it was queued', async () => {
      await queue(['sweep', 100])
      expect(await take(100)).toMatchObject({ kind: 'sweep', payload: { of: 'sweep' }, attempts: 1 })
    })

    test('is not due before its time', async () => {
      await queue(['sweep', 100])
      expect(await it.store.takeJob(99, 1000)).toBeUndefined()
    })

    test('is taken after those that were due earlier', async () => {
      await queue(['third', 30], ['first', 10], ['second', 20])
      const kinds = [await take(50), await take(50), await take(50)].map((job) => job.kind)
      expect(kinds).toEqual(['first', 'second', 'third'])
    })

    test('is taken after those that were queued for the same time before it', async () => {
      await queue(['first', 10], ['second', 10], ['third', 10])
      const kinds = [await take(50), await take(50), await take(50)].map((job) => job.kind)
      expect(kinds).toEqual(['first', 'second', 'third'])
    })

    test('that was taken is hidden while its lease lasts', async () => {
      await queue(['sweep', 100])
      await take(100, 1000)
      expect(await it.store.takeJob(1099, 1000)).toBeUndefined()
    })

    verifies('REL-1', 'that was taken and not finished is due again, counted', async () => {
      await queue(['sweep', 100])
      const first = await take(100, 1000)
      expect(await take(1100)).toMatchObject({ id: first.id, kind: 'sweep', payload: first.payload, attempts: 2 })
    })

    test('that was finished is never due again', async () => {
      await queue(['sweep', 100])
      await it.store.finishJob((await take(100)).id)
      expect(await it.store.takeJob(1e12, 1000)).toBeUndefined()
    })

    test('that was finished takes no other with it', async () => {
      await queue(['one', 100], ['other', 100])
      await it.store.finishJob((await take(100)).id)
      expect((await take(100)).kind).toBe('other')
    })

    test('that is tried again later is not due before', async () => {
      await queue(['sweep', 100])
      await it.store.retryJob((await take(100, 1000)).id, 5000)
      expect(await it.store.takeJob(4999, 1000)).toBeUndefined()
    })

    test('that is tried again later is due then, counted', async () => {
      await queue(['sweep', 100])
      await it.store.retryJob((await take(100, 1000)).id, 5000)
      expect(await take(5000)).toMatchObject({ kind: 'sweep', attempts: 2 })
    })

    test('that is tried again at once is due before its lease would have ended', async () => {
      await queue(['sweep', 100])
      await it.store.retryJob((await take(100, 1000)).id, 200)
      expect(await take(200)).toMatchObject({ kind: 'sweep' })
    })

    test('is taken by one of several at once', async () => {
      await queue(['one', 10], ['two', 10], ['three', 10])
      const taken = await Promise.all(Array.from({ length: 5 }, () => it.store.takeJob(10, 1000)))
      expect(taken.map((job) => job?.kind ?? 'none').toSorted()).toEqual(['none', 'none', 'one', 'three', 'two'])
    })

    verifies('REL-1', 'that was queued is due after a restart', async () => {
      await queue(['sweep', 100])
      expect(await (await it.reopen()).takeJob(100, 1000)).toMatchObject({ kind: 'sweep' })
    })

    test('that is parked is never taken, and keeps when and why', async () => {
      await queue(['sweep', 100], ['other', 200])
      const { id } = await take(100, 1000)
      await it.store.parkJob(id, 150, 'TOO_OFTEN')
      expect((await take(1e12, 1)).kind).toBe('other')
      expect(await it.store.takeJob(1e12, 1)).toBeUndefined()
      const store = await it.reopen()
      expect((await store.takeJob(1e13, 1e12))?.kind).toBe('other')
      expect(await store.takeJob(1e13, 1)).toBeUndefined()
      expect((await store.jobs({ state: 'parked' })).items).toEqual([
        { id, kind: 'sweep', state: 'parked', attempts: 1, runAt: 1100, parkedAt: 150, reason: 'TOO_OFTEN' },
      ])
    })

    test('that was parked can be tried again, as if it had never been begun', async () => {
      await queue(['sweep', 100])
      const { id } = await take(100, 1000)
      await it.store.parkJob(id, 150, 'TOO_OFTEN')
      expect(await it.store.unparkJob(id, 300)).toBe(true)
      expect((await it.store.jobs()).items).toEqual([{ id, kind: 'sweep', state: 'waiting', attempts: 0, runAt: 300 }])
      expect(await it.store.takeJob(299, 1)).toBeUndefined()
      expect(await take(300)).toMatchObject({ id, payload: { of: 'sweep' }, attempts: 1 })
    })

    test('is tried again by hand only if it is parked, and only then on record', async () => {
      await queue(['sweep', 100])
      const { id } = await take(100, 1000)
      const subject = { at: 1, userId: 'ada', tenant: 'local' }
      const retry = (name: string, job = id): Promise<boolean> =>
        it.store.unparkJob(job, 300, [auditRecord('job_retried', { id: name, ...subject }, { jobId: job })])
      const recorded = async () =>
        (await it.store.auditPage({ tenant: 'local', action: 'job_retried' })).items.map((record) => record.id)
      expect([await retry('waiting'), await retry('absent', id + 1)]).toEqual([false, false])
      await it.store.parkJob(id, 150, 'TOO_OFTEN')
      expect(await Promise.all([retry('first'), retry('second')])).toEqual([true, false])
      expect(await recorded()).toEqual(['first'])
    })

    test('is listed oldest first, page by page, by its state', async () => {
      await queue(['one', 30], ['two', 20], ['three', 10])
      await it.store.parkJob((await take(15)).id, 16, 'TOO_OFTEN')
      const first = await it.store.jobs({ limit: 2 })
      expect(first.items.map(({ kind }) => kind)).toEqual(['one', 'two'])
      const second = await it.store.jobs({ limit: 2, cursor: first.next ?? '' })
      expect([second.items.map(({ kind, state }) => [kind, state]), second.next]).toEqual([[['three', 'parked']], null])
      expect((await it.store.jobs({ state: 'waiting' })).items.map(({ kind }) => kind)).toEqual(['one', 'two'])
    })

    test('that was taken is hidden after a restart while its lease lasts', async () => {
      await queue(['sweep', 100])
      await take(100, 1000)
      expect(await (await it.reopen()).takeJob(500, 1000)).toBeUndefined()
    })
  })
}
