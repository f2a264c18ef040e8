import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewNode, NodeList, NodeRow, NodeStore } from '../store/index.ts'
import { databaseClock } from './database-clock.ts'
import { keepLease } from './keep-lease.ts'
import { leaseTimes } from './lease-times.ts'

interface Kept extends NodeRow {
  state: 'there' | 'evicted' | 'left'
  until: number
}

/** The rules of a database in a few lines, with a cable that can be pulled. */
function memory() {
  const rows = new Map<string, Kept>()
  const there = (): Kept[] => [...rows.values()].filter(({ state }) => state === 'there')
  const now = (): number => Date.now()
  const world = { cut: false, answersAfterMs: 0, renewals: 0, evictions: [] as string[] }
  async function reach(): Promise<void> {
    if (world.answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, world.answersAfterMs))
    if (world.cut) throw new Error('the database is away')
  }
  const store: NodeStore = {
    async join({ id, address, version, leaseMs, replaces }: NewNode) {
      await reach()
      for (const one of replaces.flatMap((was) => rows.get(was) ?? [])) one.state = 'evicted'
      const other = there().find((one) => one.until > now() && (address === undefined || one.address === undefined))
      if (other) return { kind: 'taken', by: other.id, hasAddress: true, now: now(), until: other.until }
      const until = now() + leaseMs
      const row = { id, address, version, joinedAt: now(), seenAt: now(), until, sessions: 0, rounds: 0, slots: 0 }
      rows.set(id, { ...row, state: 'there' })
      return { kind: 'joined', cluster: 'c', now: now(), until }
    },
    async renew(id, leaseMs) {
      world.renewals += 1
      await reach()
      const row = rows.get(id)
      if (row?.state !== 'there') return { kind: 'evicted', now: now() }
      row.until = now() + leaseMs
      return { kind: 'renewed', now: now(), until: row.until }
    },
    async evict() {
      await reach()
      const late = there().filter(({ until }) => until <= now())
      for (const one of late) one.state = 'evicted'
      world.evictions.push(...late.map(({ id }) => id))
      return late.map(({ id }) => id)
    },
    async leave(id) {
      await reach()
      rows.get(id)!.state = 'left'
    },
    async nodes(): Promise<NodeList> {
      await reach()
      return { now: now(), knownToAll: 1, nodes: there().map((row) => ({ ...row })) }
    },
  }
  return { store, rows, world }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  stoodStill = 0
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
/** time that passed without a timer */
let stoodStill = 0
const system = { now: () => Date.now(), ticks: () => performance.now() + stoodStill }

async function node({ store }: Pick<ReturnType<typeof memory>, 'store'>, address: string | null = 'http://a') {
  const told: string[] = []
  const clock = databaseClock(system, () => {})
  const lease = await keepLease(store, {
    self: { address: address ?? undefined, version: '1', secretHash: 'hash' },
    times: leaseTimes(),
    clock,
    load: () => ({ sessions: 0, rounds: 0, slots: 0 }),
    onWaiting: () => told.push('waiting'),
  })
  lease.onLost(() => told.push('lost'))
  lease.onRegained(() => told.push('regained'))
  lease.onGone((id) => told.push(`gone ${id}`))
  return { ...lease, told }
}

describe('a node', () => {
  test('renews every three seconds and may act all the time', async () => {
    const database = memory()
    const one = await node(database)
    for (let i = 0; i < 60; i++) {
      await seconds(1)
      expect(one.mayAct()).toBe(true)
    }
    expect(database.world.renewals).toBe(21)
    expect(one.told).toEqual([])
    expect(one.living()).toBe(1)
  })

  test('may not act eight seconds after its last renewal was sent, and has given up everything by then', async () => {
    const database = memory()
    const one = await node(database)
    await seconds(3)
    database.world.cut = true
    await seconds(7.9)
    expect(one.mayAct()).toBe(true)
    expect(one.told).toEqual([])
    await seconds(0.2)
    expect(one.mayAct()).toBe(false)
    expect(one.told).toEqual(['lost'])
  })

  test('is a new one when the database is back, and the old one is evicted', async () => {
    const database = memory()
    const one = await node(database)
    const before = one.id()
    database.world.cut = true
    await seconds(60)
    database.world.cut = false
    await seconds(1)
    expect(one.mayAct()).toBe(true)
    expect(one.id()).not.toBe(before)
    expect(database.rows.get(before)?.state).toBe('evicted')
    expect(one.told).toEqual(['lost', 'regained'])
  })

  test('that was evicted hears of it with its next renewal', async () => {
    const database = memory()
    const one = await node(database)
    const before = one.id()
    database.rows.get(before)!.state = 'evicted'
    await seconds(3)
    expect(one.told).toEqual(['lost', 'regained'])
    expect(one.id()).not.toBe(before)
  })

  test('counts its time from before it asked, however long the answer takes', async () => {
    const database = memory()
    const one = await node(database)
    await seconds(2.5)
    database.world.answersAfterMs = 2000
    // The renewal at 3 s is answered at 5 s; nothing after it is.
    await seconds(2.6)
    database.world.cut = true
    await seconds(5.8)
    expect(one.mayAct()).toBe(true)
    await seconds(0.2)
    expect(one.mayAct()).toBe(false)
  })

  test('an answer that comes too late does not give back what was lost', async () => {
    const database = memory()
    const one = await node(database)
    const before = one.id()
    await seconds(2.9)
    database.world.answersAfterMs = 20_000
    await seconds(8)
    database.world.answersAfterMs = 0
    expect(one.told).toEqual(['lost'])
    await seconds(13)
    expect(one.mayAct()).toBe(true)
    expect(one.id()).not.toBe(before)
  })

  test('that stood still finds its time over before any timer says so, and is a new one', async () => {
    const database = memory()
    const one = await node(database)
    const before = one.id()
    await seconds(0.1)
    stoodStill = 20_000
    expect(one.mayAct()).toBe(false)
    // Its next renewal is answered as if nothing had been.
    await seconds(3)
    expect(one.told).toEqual(['lost', 'regained'])
    expect(one.id()).not.toBe(before)
  })

  test('says goodbye and may not act any more', async () => {
    const database = memory()
    const one = await node(database)
    const leaving = one.leave(true)
    expect(one.mayAct()).toBe(false)
    await leaving
    expect(database.rows.get(one.id())?.state).toBe('left')
    const { renewals } = database.world
    await seconds(10)
    expect(database.world.renewals).toBe(renewals)
  })

  test('that leaves without goodbye is evicted by the others', async () => {
    const database = memory()
    const [one, other] = [await node(database, 'http://a'), await node(database, 'http://b')]
    await one.leave(false)
    await seconds(12)
    expect(database.rows.get(one.id())?.state).toBe('evicted')
    expect(other.told).toEqual([`gone ${one.id()}`])
    expect(other.living()).toBe(1)
  })
})

describe('several nodes', () => {
  test('a short outage of the database makes nobody evict anybody', async () => {
    const database = memory()
    const all = [await node(database, 'http://a'), await node(database, 'http://b'), await node(database, 'http://c')]
    await seconds(30)
    database.world.cut = true
    await seconds(4)
    database.world.cut = false
    await seconds(30)
    expect(database.world.evictions).toEqual([])
    expect(all.flatMap((one) => one.told)).toEqual([])
    expect(all.map((one) => one.living())).toEqual([3, 3, 3])
  })

  test('who could not renew for a moment evicts nobody before ten good seconds', async () => {
    const database = memory()
    const [one, other] = [await node(database, 'http://a'), await node(database, 'http://b')]
    await seconds(30.1)
    await other.leave(false)
    database.world.cut = true
    await seconds(4)
    database.world.cut = false
    await seconds(8)
    expect(database.world.evictions).toEqual([])
    await seconds(5)
    expect(database.world.evictions).toEqual([other.id()])
    expect(one.told).toEqual([`gone ${other.id()}`])
  })

  test('after a long one everybody is new, each having evicted only itself', async () => {
    const database = memory()
    const all = [await node(database, 'http://a'), await node(database, 'http://b')]
    const before = all.map((one) => one.id())
    database.world.cut = true
    await seconds(120)
    database.world.cut = false
    await seconds(30)
    expect(database.world.evictions).toEqual([])
    expect(all.every((one) => one.mayAct())).toBe(true)
    expect(before.map((id) => database.rows.get(id)?.state)).toEqual(['evicted', 'evicted'])
  })
})

test('one that leaves while it joins again is no node afterwards', async () => {
  const database = memory()
  const one = await node(database)
  database.world.cut = true
  await seconds(9)
  database.world.cut = false
  database.world.answersAfterMs = 3000
  await seconds(2)
  const left = one.leave(true)
  await seconds(4)
  await left
  expect([one.mayAct(), one.leftMs(), vi.getTimerCount()]).toEqual([false, 0, 0])
})

describe('a node that nobody can reach', () => {
  test('waits for one that was killed until its time is over', async () => {
    const database = memory()
    const killed = await node(database, null)
    await killed.leave(false)
    let started: Awaited<ReturnType<typeof node>> | undefined
    void node(database, null).then((one) => (started = one))
    await seconds(9)
    expect(started).toBeUndefined()
    await seconds(2)
    expect(started?.mayAct()).toBe(true)
    expect(started?.told).toEqual(['waiting'])
  })

  test('does not start beside one that lives', async () => {
    const database = memory()
    await node(database, null)
    const second = expect(node(database, null)).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining('SEGNO_CLUSTER_SECRET') as string,
    })
    await seconds(15)
    await second
  })
})
