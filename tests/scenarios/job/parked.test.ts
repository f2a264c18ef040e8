import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { createJobService, startJobs, type JobOptions } from '../../../src/job/index.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Coordinator } from '../../../src/round/index.ts'
import type { NewJob, Store } from '../../../src/store/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempFolder } from '../workspace/support.ts'

const START = 1_800_000_000_000
const HOUR = 3_600_000

/** Nothing runs and nothing is to be rescued. */
const IDLE = {
  rescue: async () => {},
  sweep: () => {},
  stats: () => ({ live: 0, running: 0, queued: 0, full: false }),
} as unknown as Coordinator

/** Jobs on a real store, whose purges fail as often as they are told to. */
async function stage(options: JobOptions = {}) {
  const home = tempFolder()
  let now = START
  let store = await openStoreOf(home)
  const clock = { now: () => now }
  const erased: string[] = []
  const parked: string[][] = []
  const failing = new Map<string, number>()
  let isMute = false
  const start = () => {
    const purge: Store['purge'] = async (id) => {
      erased.push(id)
      const left = failing.get(id) ?? 0
      failing.set(id, left - 1)
      if (left > 0) throw Object.assign(new Error(`secret words about ${id}`), { code: 'ENOSPC' })
      return { events: 0, blobs: 0 }
    }
    const finishJob: Store['finishJob'] = async (id) => {
      if (isMute) throw new Error('not now')
      await store.finishJob(id)
    }
    const onParked = (...why: string[]): void => void parked.push(why)
    return startJobs({ ...store, purge, finishJob }, IDLE, clock, { attempts: 3, onParked, ...options })
  }
  let jobs = start()
  onTestFinished(async () => {
    await jobs.stop()
    await store.close()
  })

  /** A session that has these jobs stored with it. */
  async function queue(...wanted: Partial<NewJob>[]): Promise<void> {
    const sessionId = newId()
    const data = { actor: { id: 'owner', tenant: 'local' }, workspaceId: 'system', title: 'T' }
    const event = { id: newId(), type: 'session.created', v: 1, at: START, requestId: null, data } as const
    const all = wanted.map((one) => ({ kind: 'purge', payload: {}, runAt: START, ...one }))
    await store.commit({ sessionId, epoch: 1, expected: 0, create: {}, events: [event], jobs: all })
  }

  return {
    queue,
    erased,
    parked,
    failing,
    get store() {
      return store
    },
    /** What is done cannot be said to be. */
    mute: (is: boolean) => void (isMute = is),
    service: () => createJobService(store, clock),
    async after(ms: number) {
      now += ms
      await jobs.tick()
    },
    async reopen() {
      await jobs.stop()
      await store.close()
      store = await openStoreOf(home)
      jobs = start()
    },
  }
}

const purge = (sessionId: string): Partial<NewJob> => ({ payload: { sessionId } })

describe('a stored job', () => {
  test('that fails is tried again after growing waits, and is gone when it went well', async () => {
    const it = await stage({ attempts: 9 })
    it.failing.set('a', 3)
    await it.queue(purge('a'))
    const tries: number[] = []
    for (const ms of [0, 4999, 1, 9999, 1, 19_999, 1]) {
      await it.after(ms)
      tries.push(it.erased.length)
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4])
    expect((await it.store.jobs()).items).toEqual([])
    expect(it.parked).toEqual([])
  })

  test('never waits longer than an hour', async () => {
    const it = await stage({ attempts: 99 })
    it.failing.set('a', 99)
    await it.queue(purge('a'))
    for (let n = 1; n <= 20; n++) {
      await it.after(HOUR)
      expect(it.erased).toHaveLength(n)
    }
  })

  verifies('REL-1', 'that fails too often is parked with a word for the reason, and others go on', async () => {
    const it = await stage()
    it.failing.set('a', 99)
    await it.queue(purge('a'), purge('b'))
    for (let n = 0; n < 9; n++) {
      await it.after(HOUR)
      if (n === 4) await it.queue(purge('c'))
    }
    expect(it.erased).toEqual(['a', 'b', 'a', 'a', 'c'])
    expect(it.parked).toEqual([['purge', 'ENOSPC']])
    const { items } = await it.store.jobs()
    expect(items).toMatchObject([{ kind: 'purge', state: 'parked', attempts: 3, reason: 'ENOSPC' }])
    expect(JSON.stringify(items)).not.toMatch(/secret|sessionId/)
  })

  test('of a kind nobody knows is parked at once, and kept for who knows it', async () => {
    const it = await stage()
    await it.queue({ kind: 'toString', payload: { of: 'later' } }, purge('b'))
    await it.after(0)
    expect(it.erased).toEqual(['b'])
    expect(it.parked).toEqual([['toString', 'UNKNOWN_KIND']])
    expect((await it.store.jobs()).items).toMatchObject([{ kind: 'toString', state: 'parked', attempts: 1 }])
  })

  verifies('REL-1', 'that was taken when the process died is done by the next one', async () => {
    const it = await stage()
    await it.queue(purge('a'))
    expect(await it.store.takeJob(START, 60_000)).toMatchObject({ attempts: 1 })
    await it.reopen()
    await it.after(59_999)
    expect(it.erased).toEqual([])
    await it.after(1)
    expect(it.erased).toEqual(['a'])
    expect((await it.store.jobs()).items).toEqual([])
  })

  test('that is done and could not be said to be is done again', async () => {
    const it = await stage()
    await it.queue(purge('a'), purge('b'))
    it.mute(true)
    await it.after(0)
    it.mute(false)
    await it.reopen()
    await it.after(60_000)
    expect(it.erased).toEqual(['a', 'b', 'a'])
  })

  verifies('REL-1', 'that ends the process each time is begun as often as others are, then parked', async () => {
    const it = await stage()
    await it.queue(purge('a'))
    for (let n = 0; n < 3; n++) expect(await it.store.takeJob(START + n, 1)).toBeDefined()
    await it.reopen()
    await it.after(10)
    expect(it.erased).toEqual([])
    expect(it.parked).toEqual([['purge', 'NEVER_ENDED']])
  })
})

describe('a parked job', () => {
  test('is left alone, and done when somebody has it tried again', async () => {
    const it = await stage()
    it.failing.set('a', 3)
    await it.queue(purge('a'))
    for (let n = 0; n < 5; n++) await it.after(HOUR)
    const { items } = await it.service().list(LOCAL_OWNER, { state: 'parked' })
    expect([it.erased.length, items.length]).toEqual([3, 1])
    await it.reopen()
    await it.after(HOUR)
    expect(it.erased).toHaveLength(3)
    const retry = (): Promise<void> => it.service().retry(LOCAL_OWNER, items[0]?.id ?? 0)
    await retry()
    await it.after(0)
    expect(it.erased).toHaveLength(4)
    expect((await it.store.jobs()).items).toEqual([])
    await expect(retry()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const records = await it.store.auditPage({ tenant: 'local', action: 'job_retried' })
    expect(records.items).toMatchObject([{ userId: 'owner', metadata: { jobId: items[0]?.id } }])
  })

  test('that fails again has all its attempts again', async () => {
    const it = await stage()
    it.failing.set('a', 99)
    await it.queue(purge('a'))
    for (let n = 0; n < 3; n++) await it.after(HOUR)
    const [job] = (await it.store.jobs()).items
    await it.service().retry(LOCAL_OWNER, job?.id ?? 0)
    for (let n = 0; n < 5; n++) await it.after(HOUR)
    expect(it.erased).toHaveLength(6)
    expect(it.parked).toHaveLength(2)
  })

  test('is nobody else’s business', async () => {
    const { list, retry } = (await stage()).service()
    const eve = { id: 'eve', kind: 'user', tenant: 'acme', permissions: ['*'] } as const
    for (const asked of [() => list(eve), () => retry(eve, 1)])
      await expect(asked()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})
