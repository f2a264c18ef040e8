import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { said } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { cutProxy } from '../support/postgres/cut-proxy.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { verifies } from '../support/verifies.ts'

const LIMITS = { connections: 2, connectMs: 5000, statementMs: 30_000 }

/** `other`: somebody else at the database; `lockMs`: how long a change waits for what others hold. */
async function stage(lockMs: number) {
  const database = await reusedDatabase()
  const proxy = await cutProxy(database.url)
  const [sql, other] = [new Client(database.url), new Client(database.url)]
  await Promise.all([sql.connect(), other.connect()])
  await sql.query(`ALTER FUNCTION commit_changes SET lock_timeout = '${lockMs}ms'`)
  const stores: Store[] = []
  onTestFinished(async () => {
    await other.end()
    for (const store of stores) await store.close()
    await sql.query(`ALTER FUNCTION commit_changes SET lock_timeout = '10s'`)
    await sql.end()
    await proxy.close()
    await database.giveBack()
  })
  const { store } = await openPostgres({ url: proxy.url, node: { id: () => 'one' }, commitConnections: 1, ...LIMITS })
  stores.push(store)
  /** Resolves when so many statements wait for a lock. */
  const waiting = (n: number): Promise<unknown> =>
    vi.waitUntil(
      async () => {
        const asked = await sql.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return asked.rows[0]?.n === n
      },
      { interval: 5, timeout: 10_000 },
    )
  return { url: database.url, store, proxy, other, waiting }
}

verifies('REL-3', 'a session that somebody holds keeps no other from being written to', async () => {
  const { store, other } = await stage(200)
  const [held, ...free] = [
    await SessionWriter.create(store),
    await SessionWriter.create(store),
    await SessionWriter.create(store),
  ]
  await other.query('BEGIN')
  await other.query('SELECT FROM heads WHERE session_id = $1 FOR UPDATE', [held.id])
  const refused = expect(held.write(said())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await Promise.all(free.map((writer) => writer.write(said())))
  await refused
  await other.query('ROLLBACK')
  await held.write(said())
})

verifies('REL-3', 'where somebody holds a whole table, all are told so', async () => {
  const { store, other } = await stage(100)
  const writers: SessionWriter[] = []
  for (let i = 0; i < 30; i++) writers.push(await SessionWriter.create(store))
  await other.query('BEGIN')
  await other.query('LOCK TABLE events')
  const answers = await Promise.allSettled(writers.map((writer) => writer.write(said())))
  expect(answers.map(({ status }) => status)).toEqual(Array<string>(30).fill('rejected'))
  await other.query('ROLLBACK')
  for (const writer of writers) await writer.write(said())
})

verifies('REL-3', 'a node that stands still within a transaction gives back what it holds', async () => {
  const { url, store } = await stage(10_000)
  const writer = await SessionWriter.create(store)
  const stopped = openDatabase({ url, ...LIMITS, idleMs: 100 })
  onTestFinished(() => stopped.close())
  let written: Promise<unknown> | undefined
  const transaction = stopped.transaction(async (query) => {
    await query('SELECT FROM heads WHERE session_id = $1 FOR UPDATE', [writer.id])
    written = writer.write(said())
    await written
    await query('UPDATE heads SET head = 0 WHERE session_id = $1', [writer.id])
  })
  await expect(transaction).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await expect(written).resolves.toBeDefined()
  await writer.write(said())
})

verifies('REL-1', 'a session whose making got no answer is made, also where it waited for itself', async () => {
  const { store, proxy, other, waiting } = await stage(10_000)
  await other.query('BEGIN')
  await other.query('LOCK TABLE events')
  const made = SessionWriter.create(store, { alias: 'mine' })
  await waiting(1)
  proxy.cut()
  await waiting(2)
  await other.query('ROLLBACK')
  await (await made).write(said())
})

test('what got no answer is not said to be lost because others hold a table when it is sent again', async () => {
  const { store, proxy, other, waiting } = await stage(300)
  const writer = await SessionWriter.create(store)
  proxy.holdAnswers('commit_changes')
  const written = writer.write(said())
  await vi.waitUntil(async () => (await store.read(writer.id)).length === 2, { interval: 5, timeout: 10_000 })
  await other.query('BEGIN')
  await other.query('LOCK TABLE heads')
  proxy.cut()
  await waiting(1)
  await waiting(0)
  await other.query('ROLLBACK')
  await written
  expect(await store.read(writer.id)).toHaveLength(2)
})
