import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/lib/id.ts'
import { openPostgres, type PostgresOptions } from '../../src/store/postgres/index.ts'
import { MIGRATIONS } from '../../src/store/postgres/migrations/index.ts'
import { part, said, started } from '../conformance/store/facts.ts'
import { answered, noon, turned, wondered } from '../conformance/store/money-facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { freshDatabase, type FreshDatabase } from '../support/postgres/fresh-database.ts'

const NOW = MIGRATIONS.length
/** What a newer Segno adds, and what the one after that takes away. */
const ADDS = 'ALTER TABLE sessions ADD COLUMN mood text; CREATE TABLE moods (id text PRIMARY KEY)'
const REMOVES = { sql: 'ALTER TABLE sessions DROP COLUMN title', oldest: NOW + 1 }

const NEWER: Partial<PostgresOptions> = {
  migrations: [...MIGRATIONS, ADDS],
  knownSince: { 'mood.changed': NOW + 1 },
}
const NEWEST: Partial<PostgresOptions> = { ...NEWER, migrations: [...MIGRATIONS, ADDS, REMOVES] }

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

/** A process that uses the database and is a node of its cluster. */
async function start(more: Partial<PostgresOptions> = {}, release = 'now') {
  const id = newId()
  const { store, nodes } = await openPostgres({
    url: database.url,
    node: { id: () => id },
    connections: 2,
    connectMs: 10_000,
    statementMs: 60_000,
    ...more,
  })
  onTestFinished(() => store.close())
  const join = () =>
    nodes.join({ id, address: 'http://127.0.0.1:1', version: release, leaseMs: 60_000, secretHash: 's', replaces: [] })
  await join()
  return { id, store, nodes, join, leave: () => nodes.leave(id) }
}

async function sql<Row = Record<string, unknown>>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

const columns = async (): Promise<string[]> =>
  (await sql<{ c: string }>(`SELECT attname AS c FROM pg_attribute WHERE attrelid = 'sessions'::regclass`)).map(
    ({ c }) => c,
  )
const versions = async () => (await sql('SELECT schema, oldest FROM cluster'))[0]

describe('a new database', () => {
  test('is made by one of several that start at once, and used by all', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => start()))
    const found = all.map(({ store }) => store.schema.found)
    expect(found.filter((version) => version === 0)).toHaveLength(1)
    expect(all.map(({ store }) => store.schema.now)).toEqual(Array<number>(5).fill(NOW))
    for (const { store } of all) await SessionWriter.create(store)
  })

  test('of another program is left alone', async () => {
    await sql('CREATE TABLE somebody_elses (a int)')
    await expect(start()).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('SEGNO_DATABASE_URL') as string,
    })
    expect(
      await sql(`SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`),
    ).toEqual([{ relname: 'somebody_elses' }])
  })
})

describe('a migration', () => {
  test('that fails leaves the database as it was', async () => {
    await start()
    await expect(start({ migrations: [...MIGRATIONS, `${ADDS}; SELECT 1 / 0`] })).rejects.toThrow()
    expect(await columns()).not.toContain('mood')
    expect(await versions()).toEqual({ schema: NOW, oldest: 0 })
  })

  test('gives way to those who use the tables, and is done when it can be', async () => {
    const { store } = await start()
    const reader = new Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('BEGIN; SELECT count(*) FROM sessions')
    const newer = start({ ...NEWER, migrating: { lockMs: 50 } })
    // Everybody queues behind a statement that waits for the table; nobody does so for long.
    for (let i = 0; i < 5; i++) await SessionWriter.create(store)
    expect(await columns()).not.toContain('mood')
    await reader.query('COMMIT')
    await newer
    expect(await columns()).toContain('mood')
    await reader.end()
  })

  test('that others hold up for too long stops the start, and says so', async () => {
    await start()
    const reader = new Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('BEGIN; SELECT count(*) FROM sessions')
    await expect(start({ ...NEWER, migrating: { lockMs: 20, mostMs: 100 } })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
    await reader.end()
  })
})

describe('an older node and a newer one on one database', () => {
  test('work side by side, whoever started first', async () => {
    const older = await start()
    const newer = await start(NEWER)
    const again = await start()
    expect(newer.store.schema).toEqual({ found: NOW, now: NOW + 1 })
    expect(again.store.schema).toEqual({ found: NOW + 1, now: NOW + 1 })
    for (const { store } of [older, newer, again]) {
      const writer = await SessionWriter.create(store)
      await writer.write(said())
    }
  })

  test('what only the newer one knows is not written while the older one lives', async () => {
    const older = await start()
    const newer = await start(NEWER)
    const writer = await SessionWriter.create(newer.store)
    const mood = { ...said(), type: 'mood.changed' } as unknown as ReturnType<typeof said>
    expect((await newer.nodes.nodes()).knownToAll).toBe(NOW)
    await expect(writer.write(mood)).rejects.toThrow(`version ${NOW}`)
    await older.leave()
    expect((await newer.nodes.nodes()).knownToAll).toBe(NOW + 1)
    const [written] = await writer.write(mood)
    expect(written).toMatchObject({ type: 'mood.changed', seq: 2 })
  })

  test('a session with something the older one does not know is not given to it', async () => {
    const newer = await start(NEWER)
    const [plain, moody] = [await SessionWriter.create(newer.store), await SessionWriter.create(newer.store)]
    await moody.write({ ...said(), type: 'mood.changed' } as unknown as ReturnType<typeof said>)
    await moody.write(said())
    await newer.leave()
    const older = await start()
    expect(await older.store.claim(plain.id)).toMatchObject({ kind: 'owned' })
    expect(await older.store.claim(moody.id)).not.toMatchObject({ kind: 'owned' })
    expect(await older.store.unfinished()).not.toContain(moody.id)
    const again = await start(NEWER)
    expect(await again.store.claim(moody.id)).toMatchObject({ kind: 'owned' })
  })
})

describe('a node from before prompts and parts', () => {
  test('works beside a newer one on one database, and takes over from it', async () => {
    const older = await start({ migrations: MIGRATIONS.slice(0, 1) })
    const before = await SessionWriter.create(older.store)
    await before.write(...noon(started('r'), turned('r', 1, 3, 1)))
    const newer = await start()
    expect(newer.store.schema).toEqual({ found: 1, now: NOW })
    const writer = await SessionWriter.create(newer.store)
    await writer.commit([said()], { parts: [part('told')] })
    await expect(writer.write(wondered('a'))).rejects.toThrow('version 1')
    await newer.store.release(writer.id)
    const taken = await SessionWriter.claim(older.store, writer.id)
    const fork = await before.fork(before.head, ...noon(turned('r', 1, 9, 9)))
    await fork.write(...noon(started('q'), turned('q', 1, 4, 1)))
    expect(await older.store.spending('local')).toMatchObject([{ tokens: 7, cost: 2 }])
    await taken.removeAndPurge()
    await newer.store.compact()
    expect(await sql('SELECT hash FROM parts')).toEqual([])
    await older.leave()
    await (await SessionWriter.create(newer.store)).write(wondered('a'), answered('a', 1, 1))
  })
})

describe('what a later release takes away', () => {
  test('stays while a node lives that needs it, and goes at the next start after that', async () => {
    const older = await start()
    const one = await start(NEWEST)
    expect(one.store.schema).toEqual({ found: NOW, now: NOW + 1 })
    expect(await columns()).toContain('title')
    await older.leave()
    const two = await start(NEWEST)
    expect(two.store.schema).toEqual({ found: NOW + 1, now: NOW + 2 })
    expect(await columns()).not.toContain('title')
    expect(await versions()).toEqual({ schema: NOW + 2, oldest: NOW + 1 })
  })

  test('is refused to those who still need it: at the start, and where one comes back', async () => {
    const older = await start()
    await sql(`UPDATE nodes SET until = 0`)
    await start(NEWEST)
    const refusal = {
      code: 'STORE_TOO_NEW',
      message: expect.stringContaining(`at least version ${NOW + 1}`) as string,
    }
    await expect(older.join()).rejects.toMatchObject(refusal)
    await expect(start()).rejects.toMatchObject(refusal)
    await start(NEWER)
  })

  test('keeps one from starting that cannot do without what comes after it', async () => {
    await start({}, '0.1.0')
    const migrations = [...(NEWEST.migrations ?? []), 'CREATE TABLE later (a int)']
    await expect(start({ ...NEWEST, migrations })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining('Older nodes (0.1.0)') as string,
    })
    expect(await versions()).toEqual({ schema: NOW, oldest: 0 })
  })
})
