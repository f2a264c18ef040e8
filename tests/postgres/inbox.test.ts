import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sha256 } from '../../src/lib/hash.ts'
import type { Blob, Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { attached, blob, claimOf, fileOf, input, message, said } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { cutProxy } from '../support/postgres/cut-proxy.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { verifies } from '../support/verifies.ts'

const PART = 1024 * 1024

async function stage() {
  const database = await reusedDatabase()
  const proxy = await cutProxy(database.url)
  const sql = new Client({ connectionString: database.url })
  await sql.connect()
  const limits = { connections: 4, connectMs: 5000, statementMs: 30_000 }
  const open = async (url: string, id: string): Promise<Store> => {
    const { store } = await openPostgres({ url, node: { id: () => id }, ...limits })
    onTestFinished(() => store.close())
    return store
  }
  onTestFinished(async () => {
    await sql.end()
    await proxy.close()
    await database.giveBack()
  })
  const count = async (from: string): Promise<number> =>
    (await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`)).rows[0]?.n ?? -1
  return { store: await open(proxy.url, 'one'), open: (id: string) => open(database.url, id), proxy, sql, count }
}

for (const what of ['a claim', 'no claim', 'a file'] as const) {
  verifies('REL-1', `an input whose answer got lost is stored once, and said to be stored: with ${what}`, async () => {
    const { store, proxy, count } = await stage()
    const writer = await SessionWriter.create(store)
    const file = blob()
    const one = input(writer.id, message([fileOf(file)]))
    const more = { ...(what === 'a claim' && { claim: claimOf('once') }), ...(what === 'a file' && { blobs: [file] }) }
    proxy.holdAnswers(what === 'a file' ? 'COMMIT' : 'put_input')
    const answer = store.putInput(one, more)
    await vi.waitUntil(async () => (await count('inputs')) === 1, { timeout: 30_000, interval: 5 })
    proxy.cut()
    expect(await answer).toBe('stored')
    expect(await store.pendingInputs(writer.id)).toEqual([one])
    expect(await count('inputs')).toBe(1)
    await writer.commit([said()], { consumed: [one.id] })
  })
}

test('a file of several parts is read as it was stored, and goes whole; so does an empty one', async () => {
  const { store, count } = await stage()
  const writer = await SessionWriter.create(store)
  const bytes = new Uint8Array(2 * PART + 17).map((_, i) => (i * 31) % 251)
  const files = [bytes, new Uint8Array(PART), new Uint8Array(0)].map((one): Blob => ({ hash: sha256(one), bytes: one }))
  await writer.commit([attached(...files.map((file) => fileOf(file)))], { blobs: files })
  for (const file of files) {
    const found = await store.file(writer.id, file.hash)
    expect(Buffer.from(found?.bytes ?? []).equals(file.bytes)).toBe(true)
  }
  expect(await count('blob_parts')).toBe(3 + 1)
  expect(await count(`blob_parts WHERE length(bytes) > ${PART}`)).toBe(0)
  await writer.removeAndPurge()
  expect([await count('blobs'), await count('blob_parts')]).toEqual([0, 0])
})

test('a file that one node erases while another stores it stays, whoever was first', async () => {
  const { store, open, sql, count } = await stage()
  const other = await open('two')
  const file = blob()
  const [gone, stays] = [await SessionWriter.create(store), await SessionWriter.create(other)]
  await gone.commit([attached(fileOf(file))], { blobs: [file] })
  await gone.remove()
  // Somebody who stores it has it in hand and has not named it yet.
  await sql.query('BEGIN')
  await sql.query('UPDATE blobs SET size = size')
  const purged = store.purge(gone.id)
  const waiting = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  const watcher = await other.blob(file.hash)
  expect(watcher).toEqual(file.bytes)
  const isWaiting = async (): Promise<boolean> => {
    // Within a transaction, the server tells what it told the first time.
    await sql.query('SELECT pg_stat_clear_snapshot()')
    return (await count(waiting)) === 1
  }
  await vi.waitUntil(isWaiting, { timeout: 30_000, interval: 5 })
  await sql.query('INSERT INTO blob_refs (hash, session_id, seq) VALUES ($1, $2, 1)', [file.hash, stays.id])
  await sql.query('COMMIT')
  expect(await purged).toMatchObject({ blobs: 0 })
  expect(await store.blob(file.hash)).toEqual(file.bytes)
  await sql.query('DELETE FROM blob_refs')
  // Both at once: it is there for whoever named it.
  for (let i = 0; i < 5; i++) {
    const one = input(stays.id, message([fileOf(file)]))
    await Promise.all([store.purge(gone.id), other.putInput(one, { blobs: [file] })])
    expect(await other.blob(file.hash)).toEqual(file.bytes)
    await stays.commit([said()], { consumed: [one.id] })
    expect([await count('blobs'), await count('blob_parts')]).toEqual([0, 0])
  }
})

verifies('REL-9', 'a piece of a log costs the same however long the log is, before anything was analysed', async () => {
  const { store, sql } = await stage()
  const writer = await SessionWriter.create(store)
  await writer.write(said('x'.repeat(200)))
  const cost = async (after: number): Promise<number> => {
    const { rows } = await sql.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM read_events($1, $2, 2147483646, 100, 2000)',
      [writer.id, after],
    )
    return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Infinity
  }
  const grow = (from: number, to: number) =>
    sql.query(
      `INSERT INTO events (session_id, seq, n, commit_id, body) SELECT session_id, g, n, '', body
       FROM events, generate_series(${from}, ${to}) g WHERE session_id = $1 AND seq = 2`,
      [writer.id],
    )
  await grow(3, 200)
  const short = await cost(100)
  await grow(201, 20_000)
  for (const after of [0, 100, 10_000]) expect(await cost(after)).toBeLessThan(short * 2 + 30)
  const slice = await store.readSlice(writer.id, 10_000, { limit: 100, chars: 2000 })
  expect([slice.isLast, slice.events[0]?.seq]).toEqual([false, 10_001])
  expect(slice.events.length).toBeLessThan(20)
})
