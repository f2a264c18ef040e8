import { describe, expect, test } from 'vitest'
import type { Job } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

export function jobSuite(it: Subject): void {
  const queue = async (...jobs: [kind: string, runAt: number][]): Promise<void> => {
    const pen = await Pen.create(it.store)
    await pen.commit([said()], { jobs: jobs.map(([kind, runAt]) => ({ kind, runAt, payload: { of: kind } })) })
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

    test('that was taken is hidden after a restart while its lease lasts', async () => {
      await queue(['sweep', 100])
      await take(100, 1000)
      expect(await (await it.reopen()).takeJob(500, 1000)).toBeUndefined()
    })
  })
}
