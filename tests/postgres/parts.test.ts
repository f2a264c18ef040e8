import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import type { Store, StoredPart } from '../../src/store/index.ts'
import { part, said } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { openedDatabase } from '../support/postgres/opened.ts'

const put = (client: Client, { hash, tenant, text }: StoredPart, sessionId: string) =>
  client.query('SELECT put_parts($1, $2, $3, $4, $5, $1, $6, $7)', [
    [hash],
    [tenant],
    [null],
    [null],
    [text],
    [sessionId],
    [2],
  ])

/** A session that is deleted and was the only one to name this part. */
async function lastOf(store: Store, one: StoredPart): Promise<SessionWriter> {
  const writer = await SessionWriter.create(store)
  await writer.commit([said()], { parts: [one] })
  await writer.remove()
  return writer
}

/** Whether this is done while nothing else happens. */
const isDone = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), delay(300).then(() => false)])

test('a purge waits for those who store one of its parts again, and leaves it', async () => {
  const { node, connection } = await openedDatabase()
  const [store, client, one] = [await node(), await connection(), part()]
  const [gone, other] = [await lastOf(store, one), await SessionWriter.create(store)]
  await client.query('BEGIN')
  await put(client, one, other.id)
  const purging = store.purge(gone.id)
  expect(await isDone(purging)).toBe(false)
  await client.query('COMMIT')
  await purging
  expect(await store.parts([one.hash])).toEqual(new Map([[one.hash, one.text]]))
})

test('a part that is being erased is stored anew by those who name it next', async () => {
  const { node, connection } = await openedDatabase()
  const [store, client, one] = [await node(), await connection(), part()]
  const [gone, other] = [await lastOf(store, one), await SessionWriter.create(store)]
  await client.query('BEGIN')
  await client.query('DELETE FROM part_refs WHERE session_id = $1', [gone.id])
  await client.query('SELECT erase_unnamed_parts($1)', [[one.hash]])
  const storing = other.commit([said()], { parts: [one] })
  expect(await isDone(storing)).toBe(false)
  await client.query('COMMIT')
  await storing
  expect(await store.parts([one.hash])).toEqual(new Map([[one.hash, one.text]]))
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
})

test('sessions that name the same part do not wait for each other', async () => {
  const { node, connection } = await openedDatabase()
  const [store, client, one] = [await node(), await connection(), part()]
  const [first, second, third] = [
    await SessionWriter.create(store),
    await SessionWriter.create(store),
    await SessionWriter.create(store),
  ]
  await first.commit([said()], { parts: [one] })
  await client.query('BEGIN')
  await put(client, one, second.id)
  await third.commit([said()], { parts: [one] })
  await client.query('COMMIT')
})

test('what a session names first is noted with its first event, whatever is refused meanwhile', async () => {
  const { node, connection } = await openedDatabase()
  const [store, client, one] = [await node(), await connection(), part()]
  const writer = await SessionWriter.create(store)
  await store.commit(writer.change([said()], { epoch: 9, parts: [one] }))
  await writer.commit([said(), said()], { parts: [one] })
  await writer.commit([said()], { parts: [one] })
  const refs = await client.query<{ seq: number }>('SELECT seq FROM part_refs WHERE hash = $1', [one.hash])
  expect(refs.rows).toEqual([{ seq: 2 }])
})

test('a text that no column can hold is stored as far as it can be, and hinders no others', async () => {
  const { node } = await openedDatabase()
  const store = await node()
  const [odd, plain] = [part('a NUL \u0000 and half a pair \uD800'), part('plain')]
  const writers = [await SessionWriter.create(store), await SessionWriter.create(store)] as const
  await Promise.all([writers[0].commit([said()], { parts: [odd] }), writers[1].commit([said()], { parts: [plain] })])
  const found = await store.parts([odd.hash, plain.hash])
  expect([found.get(odd.hash), found.get(plain.hash)]).toEqual(['a NUL \uFFFD and half a pair \uFFFD', 'plain'])
})
