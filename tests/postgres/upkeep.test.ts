import { expect, test } from 'vitest'
import { part, said } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { openedDatabase } from '../support/postgres/opened.ts'

test('a database that can be written to says so, and one that is gone does not', async () => {
  const { node, connection } = await openedDatabase({ isNew: true })
  const store = await node()
  await store.ping(5)
  const client = await connection()
  expect((await client.query('SELECT at FROM pulse')).rows).toEqual([{ at: '5' }])
  await client.query(`ALTER TABLE pulse RENAME TO gone`)
  await expect(store.ping(6)).rejects.toThrow()
})

test('compacting erases what deleted sessions left, and blobs that nothing names', async () => {
  const { node, connection } = await openedDatabase()
  const store = await node()
  const [kept, deleted] = [await SessionWriter.create(store), await SessionWriter.create(store)]
  await deleted.commit([said()])
  await deleted.remove()
  const client = await connection()
  await client.query(`INSERT INTO blobs (hash, size) VALUES ('stray', 1)`)
  await client.query(`INSERT INTO blob_parts (hash, n, bytes) VALUES ('stray', 0, 'x')`)
  const told: number[] = []
  const { needsRewrite, before } = await store.compact({ onProgress: ({ done }) => told.push(done) })
  expect({ needsRewrite, told, isSized: before > 0 }).toEqual({ needsRewrite: false, told: [0], isSized: true })
  const left = await client.query<{ session_id: string }>('SELECT DISTINCT session_id FROM events')
  expect(left.rows).toEqual([{ session_id: kept.id }])
  expect((await client.query('SELECT hash FROM blob_parts')).rows).toEqual([])
  expect(await store.check()).toMatchObject({ ok: true })
})

test('compacting erases parts that nothing names, and what an older node left of a session it purged', async () => {
  const { node, connection } = await openedDatabase()
  const store = await node()
  const [kept, deleted] = [await SessionWriter.create(store), await SessionWriter.create(store)]
  const [shared, own, stray] = [part(), part(), part()]
  await kept.commit([said()], { parts: [shared] })
  await deleted.commit([said()], { parts: [shared, own] })
  await deleted.remove()
  const client = await connection()
  await client.query('DELETE FROM events WHERE session_id = $1', [deleted.id])
  await client.query(`INSERT INTO parts (hash, tenant, text) VALUES ($1, 'local', 'x')`, [stray.hash])
  await store.compact()
  const left = await client.query<{ hash: string }>('SELECT hash FROM parts')
  expect(left.rows).toEqual([{ hash: shared.hash }])
  expect((await client.query('SELECT session_id FROM part_refs')).rows).toEqual([{ session_id: kept.id }])
})

test('compacting that is stopped goes no further', async () => {
  const { node } = await openedDatabase()
  const store = await node()
  const writer = await SessionWriter.create(store)
  await writer.remove()
  const stopped = store.compact({ signal: AbortSignal.abort(new Error('enough')) })
  await expect(stopped).rejects.toThrow('enough')
})

test('a backup is the server’s, and Segno says how it is made', async () => {
  const { node } = await openedDatabase()
  const store = await node()
  await expect(store.backup('/tmp/x')).rejects.toMatchObject({
    code: 'NOT_ENABLED',
    message: expect.stringContaining('pg_dump') as string,
  })
})
