import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/id.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import type { Joined, NewNode, NodeStore, Store } from '../../src/store/index.ts'
import { freshDatabase, type FreshDatabase } from '../support/postgres/fresh-database.ts'

let database: FreshDatabase
let opened: { store: Store; nodes: NodeStore }
let nodes: NodeStore
let sql: Client

beforeAll(async () => {
  database = await freshDatabase()
  opened = await openPostgres({
    url: database.url,
    connections: 2,
    connectMs: 5000,
    statementMs: 5000,
    node: { id: () => 'test' },
  })
  nodes = opened.nodes
  sql = new Client({ connectionString: database.url })
  await sql.connect()
})

beforeEach(async () => {
  await sql.query('DELETE FROM nodes; DELETE FROM heads; UPDATE cluster SET secret = NULL')
})

afterAll(async () => {
  await sql.end()
  await opened.store.close()
  await database.drop()
})

const IDLE = { sessions: 0, rounds: 0, slots: 20 }
const node = (more: Partial<NewNode> = {}): NewNode => ({
  id: newId(),
  address: 'http://10.0.0.1:4747',
  version: '1.2.3',
  leaseMs: 10_000,
  replaces: [],
  secretHash: 'ours',
  ...more,
})
const alone = (more: Partial<NewNode> = {}): NewNode => node({ address: undefined, secretHash: undefined, ...more })

async function join(more: Partial<NewNode> = {}): Promise<Joined & { id: string }> {
  const wanted = node(more)
  const joined = await nodes.join(wanted)
  if (joined.kind === 'taken') throw new Error('taken')
  return { ...joined, id: wanted.id }
}

/** Its time is over. */
const expire = (id: string) => sql.query('UPDATE nodes SET until = now_ms() WHERE id = $1', [id])
const ids = async (): Promise<string[]> => (await nodes.nodes()).nodes.map((one) => one.id)

describe('joining', () => {
  test('a node is there with what it said, for as long as it wants', async () => {
    const joined = await join({ leaseMs: 5000 })
    expect(joined.until - joined.now).toBe(5000)
    expect(Math.abs(joined.now - Date.now())).toBeLessThan(5000)
    expect((await nodes.nodes()).nodes).toEqual([
      {
        id: joined.id,
        address: 'http://10.0.0.1:4747',
        version: '1.2.3',
        joinedAt: joined.now,
        seenAt: joined.now,
        until: joined.until,
        sessions: 0,
        rounds: 0,
        slots: 0,
      },
    ])
  })

  test('all nodes are told the same id of the cluster', async () => {
    const [one, other] = await Promise.all([join(), join()])
    expect(one.cluster).toBe(other.cluster)
    expect(one.cluster).toMatch(/^[\da-f-]{36}$/)
  })

  test('a node with another secret is refused, also when nobody is there', async () => {
    const { id } = await join()
    await nodes.leave(id)
    await expect(join({ secretHash: 'theirs' })).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining('Another cluster uses this database') as string,
    })
    await expect(nodes.join(alone())).rejects.toThrow('Set SEGNO_CLUSTER_SECRET')
    expect(await ids()).toEqual([])
  })

  test('a node that nobody can reach is alone', async () => {
    const first = alone()
    expect((await nodes.join(first)).kind).toBe('joined')
    expect(await nodes.join(alone())).toMatchObject({ kind: 'taken', by: first.id, hasAddress: false })
    // Nor does one that can be reached come to it.
    expect(await nodes.join(node())).toMatchObject({ kind: 'taken', by: first.id })
    expect(await ids()).toEqual([first.id])
  })

  test('of two that start at once and cannot be reached, one is there', async () => {
    const answers = await Promise.all([nodes.join(alone()), nodes.join(alone())])
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['joined', 'taken'])
  })

  test('one that is alone needs not wait to evict whose time is over', async () => {
    const killed = alone()
    await nodes.join(killed)
    await expire(killed.id)
    const next = alone()
    expect((await nodes.join(next)).kind).toBe('joined')
    expect(await ids()).toEqual([next.id])
    expect(await nodes.renew(killed.id, 1000, IDLE)).toMatchObject({ kind: 'evicted' })
  })

  test('what a process was before is evicted when it joins again, whatever time it had left', async () => {
    const { id } = await join()
    const again = await join({ replaces: [id, 'one that never got in'] })
    expect(await ids()).toEqual([again.id])
    expect(await nodes.renew(id, 1000, IDLE)).toMatchObject({ kind: 'evicted' })
  })

  test('who left long ago is forgotten, unless a session still names it', async () => {
    const [gone, owner] = [await join(), await join()]
    await nodes.leave(gone.id)
    await expire(owner.id)
    await nodes.evict()
    await sql.query('UPDATE nodes SET seen_at = seen_at - 100000000')
    await sql.query("INSERT INTO heads (session_id, owner, head) VALUES ('s', $1, 1)", [owner.id])
    const { id } = await join()
    const kept = await sql.query<{ id: string }>('SELECT id FROM nodes ORDER BY joined_at')
    expect(kept.rows.map((row) => row.id)).toEqual([owner.id, id])
  })
})

describe('renewing', () => {
  test('puts off the end by the clock of the database, and says how much there is to do', async () => {
    const { id } = await join({ leaseMs: 1 })
    const renewed = await nodes.renew(id, 7000, { sessions: 3, rounds: 2, slots: 20 })
    expect(renewed.kind === 'renewed' && renewed.until - renewed.now).toBeLessThanOrEqual(7000)
    const [row] = (await nodes.nodes()).nodes
    expect(row).toMatchObject({ sessions: 3, rounds: 2, slots: 20, until: renewed.kind === 'renewed' && renewed.until })
  })

  test('a node whose time was over goes on if nobody has evicted it', async () => {
    const { id } = await join()
    await expire(id)
    expect(await nodes.renew(id, 1000, IDLE)).toMatchObject({ kind: 'renewed' })
    expect(await nodes.evict()).toEqual([])
  })

  test('a node nobody knows was evicted', async () => {
    expect(await nodes.renew('nobody', 1000, IDLE)).toMatchObject({ kind: 'evicted' })
  })
})

describe('evicting', () => {
  test('takes those whose time is over, once, for good', async () => {
    const [late, well] = [await join(), await join()]
    await expire(late.id)
    const both = await Promise.all([nodes.evict(), nodes.evict()])
    expect(both.flat()).toEqual([late.id])
    expect(await ids()).toEqual([well.id])
    expect(await nodes.renew(late.id, 1000, IDLE)).toMatchObject({ kind: 'evicted' })
    expect(await ids()).toEqual([well.id])
  })

  test('who renews at the same time is either renewed or evicted, never both', async () => {
    for (let i = 0; i < 30; i++) {
      const { id } = await join()
      await expire(id)
      const [renewed, evicted] = await Promise.all([nodes.renew(id, 10_000, IDLE), nodes.evict()])
      expect(evicted).toEqual(renewed.kind === 'evicted' ? [id] : [])
    }
  })

  test('who left is not evicted, and who was evicted cannot leave', async () => {
    const [left, evicted] = [await join(), await join()]
    await nodes.leave(left.id)
    await expire(left.id)
    await expire(evicted.id)
    expect(await nodes.evict()).toEqual([evicted.id])
    await nodes.leave(evicted.id)
    const rows = await sql.query<{ id: string }>('SELECT id FROM nodes WHERE left_at IS NOT NULL')
    expect(rows.rows).toEqual([{ id: left.id }])
  })
})

test('where nobody is, the time of the database is told all the same', async () => {
  const { now, nodes: none } = await nodes.nodes()
  expect(none).toEqual([])
  expect(Math.abs(now - Date.now())).toBeLessThan(5000)
})
