import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Ownership, Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { newId } from '../../src/lib/id.ts'
import { input, said, started, talk } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { verifies } from '../support/verifies.ts'

const CONNECT = { connections: 4, connectMs: 10_000, statementMs: 60_000 }

/** Nodes on one database, each with a store of its own. */
async function cluster<Names extends string>(...names: Names[]) {
  const database = await reusedDatabase()
  const admin = new Pool({ connectionString: database.url, max: 1 })
  const stores: Partial<Record<Names, Store>> = {}
  for (const name of names) {
    const sql = `INSERT INTO nodes (id, release, version, joined_at, seen_at, until) VALUES ($1, '', 0, 0, 0, 4e12)`
    await admin.query(sql, [name])
    stores[name] = (await openPostgres({ url: database.url, node: { id: () => name }, ...CONNECT })).store
  }
  onTestFinished(async () => {
    for (const store of Object.values<Store>(stores as Record<Names, Store>)) await store.close()
    await admin.end()
    await database.giveBack()
  })
  const run = async (sql: string, ...values: unknown[]): Promise<void> => void (await admin.query(sql, values))
  return {
    ...(stores as Record<Names, Store>),
    run,
    evict: (name: Names) => run('UPDATE nodes SET evicted = true WHERE id = $1', name),
    leave: (name: Names) => run('UPDATE nodes SET left_at = now_ms() WHERE id = $1', name),
  }
}

verifies(
  'REL-7',
  'who takes a session from a node that did not say goodbye is told so, and whoever has it later',
  async () => {
    const { a, b, c, evict, leave } = await cluster('a', 'b', 'c')
    const writer = await SessionWriter.create(a)
    await writer.write(...talk(2))
    await evict('a')
    expect(await b.claim(writer.id)).toMatchObject({ kind: 'owned', head: 3, evictedAt: 3 })
    await leave('b')
    expect(await c.claim(writer.id)).toMatchObject({ kind: 'owned', head: 3, evictedAt: 3 })
  },
)

verifies('REL-7', 'who takes a session from a node that said goodbye is not told of any doubt', async () => {
  const { a, b, leave } = await cluster('a', 'b')
  const writer = await SessionWriter.create(a)
  expect(await b.claim(writer.id)).toMatchObject({ kind: 'elsewhere', where: 'a' })
  await leave('a')
  const taken = await b.claim(writer.id)
  expect(taken).toMatchObject({ kind: 'owned', head: 1 })
  expect((taken as Ownership).evictedAt).toBeUndefined()
})

test('a session of a node that nobody knows is taken, in doubt', async () => {
  const { a, b, run } = await cluster('a', 'b')
  const writer = await SessionWriter.create(a)
  await run(`DELETE FROM nodes WHERE id = 'a'`)
  expect(await b.claim(writer.id)).toMatchObject({ kind: 'owned', evictedAt: 1 })
})

verifies(
  'REL-7',
  'a node that was evicted and does not know it yet gets no session, and stores nothing in one that was taken',
  async () => {
    const { a, b, evict } = await cluster('a', 'b')
    const [writer, free] = [await SessionWriter.create(a), await SessionWriter.create(a)]
    await a.release(free.id)
    await evict('a')
    await SessionWriter.claim(b, writer.id)
    await expect(a.claim(free.id)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await a.claim(writer.id)).toMatchObject({ kind: 'elsewhere', where: 'b' })
    expect(await a.commit(writer.change([said()]))).toMatchObject({ kind: 'conflict' })
  },
)

verifies(
  'REL-7',
  'a session that needs a newer Segno is left to one: what comes for it is stored, and nobody older takes it',
  async () => {
    const { a, b, run } = await cluster('a', 'b')
    const writer = await SessionWriter.create(a)
    await writer.write(started(newId()))
    await a.release(writer.id)
    await run('UPDATE heads SET needs = 1000')
    expect(await b.claim(writer.id)).toEqual({ kind: 'elsewhere', where: undefined, until: Infinity })
    expect(await b.putInput(input(writer.id))).toBe('stored')
    expect(await b.unfinished()).toEqual([])
  },
)

verifies(
  'REL-7',
  'two nodes that take over a hundred sessions at once each get about half, and none twice',
  async () => {
    const { dead, a, b, evict } = await cluster('dead', 'a', 'b')
    const writers = await Promise.all(Array.from({ length: 100 }, () => SessionWriter.create(dead)))
    await Promise.all(writers.map((writer) => writer.write(started(newId()))))
    await evict('dead')
    const taken: Record<'a' | 'b', string[]> = { a: [], b: [] }
    async function takeOver(name: 'a' | 'b', store: Store): Promise<void> {
      for (const id of await store.unfinished(60)) if ((await store.claim(id))?.kind === 'owned') taken[name].push(id)
    }
    await Promise.all([takeOver('a', a), takeOver('b', b)])
    expect(new Set([...taken.a, ...taken.b]).size).toBe(taken.a.length + taken.b.length)
    for (const name of ['a', 'b'] as const) expect(taken[name].length).toBeGreaterThanOrEqual(30)
    while (taken.a.length + taken.b.length < 100) await Promise.all([takeOver('a', a), takeOver('b', b)])
  },
)

verifies(
  'REL-7',
  'what nobody owns is shared out: at most as many as asked for, running rounds first, one’s own always',
  async () => {
    const { a, b } = await cluster('a', 'b')
    const waiting = await Promise.all(Array.from({ length: 6 }, () => SessionWriter.create(a)))
    for (const writer of waiting) await a.putInput(input(writer.id))
    const running = await Promise.all(Array.from({ length: 2 }, () => SessionWriter.create(a)))
    for (const writer of running) await writer.write(started(newId()))
    const mine = await SessionWriter.create(b)
    await b.putInput(input(mine.id))
    for (const writer of [...waiting, ...running]) await a.release(writer.id)
    expect(await b.unfinished(0)).toEqual([mine.id])
    const two = await b.unfinished(2)
    expect(new Set(two)).toEqual(new Set([...running.map(({ id }) => id), mine.id]))
    // Half of eight.
    expect(await b.unfinished()).toHaveLength(4 + 1)
    expect((await b.unfinished()).slice(0, 2)).toEqual(two.filter((id) => id !== mine.id))
  },
)

test('many sessions that are let go at once are free, but for one that was claimed again meanwhile', async () => {
  const { a, b } = await cluster('a', 'b')
  const writers = await Promise.all(Array.from({ length: 5 }, () => SessionWriter.create(a)))
  const [again, ...others] = writers as [SessionWriter, ...SessionWriter[]]
  const released = Promise.all(writers.map(({ id }) => a.release(id)))
  const owner = await SessionWriter.claim(a, again.id)
  await released
  expect(await b.claim(again.id)).toMatchObject({ kind: 'elsewhere', where: 'a' })
  for (const { id } of others) expect(await b.claim(id)).toMatchObject({ kind: 'owned' })
  await owner.write(said())
  expect(await a.commit(others[0]!.change([said()]))).toMatchObject({ kind: 'conflict', reason: 'epoch' })
})

test('a session that is only forgotten stays with its node', async () => {
  const { a, b } = await cluster('a', 'b')
  const writer = await SessionWriter.create(a)
  await a.release(writer.id, false)
  expect(await b.claim(writer.id)).toMatchObject({ kind: 'elsewhere', where: 'a' })
})

verifies('REL-3', 'inputs from two nodes at once have one order, and the owner misses none', async () => {
  const { a, b, c } = await cluster('a', 'b', 'c')
  const writer = await SessionWriter.create(a)
  const puts = Array.from({ length: 30 }, (_, i) => (i % 2 ? b : c).putInput(input(writer.id)))
  // Whatever it reads while they come is a beginning of what is there in the end.
  const reads: string[][] = []
  for (let read: string[] = []; read.length < 30; reads.push(read))
    read = (await a.pendingInputs(writer.id)).map(({ id }) => id)
  await Promise.all(puts)
  const all = (await a.pendingInputs(writer.id)).map(({ id }) => id)
  expect(all).toHaveLength(30)
  for (const read of reads) expect(read).toEqual(all.slice(0, read.length))
  expect([await a.unread(), await a.unread()]).toEqual([[writer.id], []])
})
