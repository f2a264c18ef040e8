import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { openedDatabase } from '../support/postgres/opened.ts'

const COUNT = 60
const LEASE_MS = 60_000

test('each job is taken by one of several nodes that look at once', async () => {
  const { node, connection } = await openedDatabase()
  const nodes = await Promise.all([node('a'), node('b'), node('c')])
  const client = await connection()
  await client.query(
    `INSERT INTO jobs (kind, payload, run_at) SELECT 'purge', '{}', 1 FROM generate_series(1, ${COUNT})`,
  )
  const taken: number[] = []
  const workers = nodes.flatMap((store) => [store, store])
  await Promise.all(
    workers.map(async (store) => {
      for (let job; (job = await store.takeJob(10, LEASE_MS));) taken.push(job.id)
    }),
  )
  expect(taken).toHaveLength(COUNT)
  expect(new Set(taken).size).toBe(COUNT)
})

verifies('REL-7', 'a job of a node that was killed falls to another when its lease is over', async () => {
  const { node, connection } = await openedDatabase()
  const [killed, other] = await Promise.all([node('killed'), node('other')])
  const client = await connection()
  await client.query(`INSERT INTO jobs (kind, payload, run_at) VALUES ('purge', '{"sessionId":"s"}', 1)`)
  const job = await killed.takeJob(10, LEASE_MS)
  await killed.close()
  expect(await other.takeJob(10 + LEASE_MS - 1, LEASE_MS)).toBeUndefined()
  expect(await other.takeJob(10 + LEASE_MS, LEASE_MS)).toMatchObject({ id: job?.id, attempts: 2 })
})

verifies('REL-7', 'a sweep falls to one node at a time, and to the next when its time has come', async () => {
  const { node, connection } = await openedDatabase()
  const nodes = await Promise.all([node('a'), node('b'), node('c')])
  const names = ['claims', 'expiry', 'reservations']
  const turn = async (): Promise<string[]> =>
    (await Promise.all(nodes.map((store) => store.takeSweeps(names, 60_000)))).flat().toSorted()
  expect(await turn()).toEqual(names)
  expect(await turn()).toEqual([])
  const client = await connection()
  await client.query(`UPDATE sweeps SET next_at = now_ms() WHERE name = 'claims'`)
  expect(await turn()).toEqual(['claims'])
})
