import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { said } from '../conformance/store/facts.ts'
import { call, entitled, noon, NOON, open as begin, paid, turn, turned } from '../conformance/store/money-facts.ts'
import type { SessionWriter } from '../conformance/store/session-writer.ts'
import { reusedDatabase, type ReusedDatabase } from '../support/postgres/reused-database.ts'
import { verifies } from '../support/verifies.ts'

let database: ReusedDatabase
let stores: Store[]

beforeEach(async () => {
  database = await reusedDatabase()
  stores = []
  for (const id of ['first', 'second']) {
    const { store } = await openPostgres({
      url: database.url,
      node: { id: () => id },
      connections: 2,
      connectMs: 10_000,
      statementMs: 60_000,
    })
    stores.push(store)
  }
})

afterEach(async () => {
  for (const store of stores) await store.close()
  await database.giveBack()
})

/** As many sessions of one user as asked for, on both nodes in turn, each with a round. */
const sessions = (count: number, userId = 'ada'): Promise<SessionWriter[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => begin(stores[i % 2] as Store, `${userId} ${i}`, { id: userId })))

describe('two nodes that spend at once', () => {
  verifies('GOV-9', 'never set aside more of a budget than it has', async () => {
    const [one] = stores as [Store]
    await one.putEntitlement(entitled({ dailyTokens: 300, dailyCost: 1000 }))
    const writers = await sessions(40)
    for (let n = 1; n <= 3; n++) {
      const answers = await Promise.all(
        writers.map((writer, i) => writer.store.commit(writer.change(noon(turn(`ada ${i}`, n, 10, 3), said())))),
      )
      const stored = answers.filter(({ kind }) => kind === 'committed')
      expect(stored).toHaveLength(30)
      expect(answers.filter(({ kind }) => kind === 'over')).toHaveLength(10)
      expect(await one.left('local', 'ada', NOON)).toMatchObject({ tokens: 0 })
      // All of it is given back, so that the next race is for the same.
      await Promise.all(
        answers.map(async ({ kind }, i) => {
          const writer = writers[i] as SessionWriter
          if (kind !== 'committed') return
          writer.head += 2
          await writer.write(...noon(turned(`ada ${i}`, n, 0, 0)))
        }),
      )
      expect(await one.left('local', 'ada', NOON)).toMatchObject({ tokens: 300, cost: 1000 })
    }
  })

  verifies('GOV-9', 'never have more calls of a tool running than its quota, nor start more in an hour', async () => {
    const writers = await sessions(24)
    const quota = { concurrent: 5, perHour: 12 }
    let started = 0
    for (let n = 1; n <= 4; n++) {
      const answers = await Promise.all(
        writers.map((writer, i) =>
          writer.store.commit(writer.change(noon(...call(`ada ${i}`, `${n} ${i}`, 0, quota)))),
        ),
      )
      const stored = answers.filter(({ kind }) => kind === 'committed').length
      expect(stored).toBe(Math.min(5, 12 - started))
      started += stored
      await Promise.all(
        answers.map(async ({ kind }, i) => {
          if (kind !== 'committed') return
          const writer = writers[i] as SessionWriter
          writer.head += 2
          await writer.write(...noon(paid(`ada ${i}`, `${n} ${i}`, 0)))
        }),
      )
    }
    expect(started).toBe(12)
  })

  verifies('GOV-10', 'of many users count what each spent, whoever shared a call with whom', async () => {
    const users = ['ada', 'bob', 'cleo', 'dan']
    await (stores[0] as Store).putEntitlement(entitled({ userId: 'bob', dailyTokens: 10_000 }))
    await (stores[0] as Store).putEntitlement(entitled({ userId: 'dan', dailyCost: 10_000 }))
    const all = (await Promise.all(users.map((user) => sessions(8, user)))).flat()
    for (let n = 1; n <= 5; n++) {
      await Promise.all(
        all.map(async (writer, i) => {
          const round = `${users[Math.floor(i / 8)]} ${i % 8}`
          await writer.write(...noon(turn(round, n, 20, 5)))
          await writer.write(...noon(turned(round, n, 7, 2)))
        }),
      )
    }
    const spent = await (stores[1] as Store).spending('local')
    expect(spent.map(({ userId, tokens, cost }) => [userId, tokens, cost])).toEqual(
      users.map((user) => [user, 8 * 5 * 7, 8 * 5 * 2]),
    )
    const client = new Client(database.url)
    await client.connect()
    const { rows } = await client.query('SELECT sum(held_tokens + held_cost + held_tool_cost)::int AS held FROM spent')
    await client.end()
    expect(rows).toEqual([{ held: 0 }])
  })
})

describe('the first budget of all', () => {
  verifies('GOV-9', 'counts at once where it is set, and soon on every other node', async () => {
    const [one, other] = stores as [Store, Store]
    const nothing = { tokens: null, tools: null, cost: null }
    for (const store of stores) expect(await store.left('local', 'ada', NOON)).toEqual(nothing)
    await one.putEntitlement(entitled({ dailyTokens: 300 }))
    expect(await one.left('local', 'ada', NOON)).toMatchObject({ tokens: 300 })
    await expect.poll(() => other.left('local', 'ada', NOON), { interval: 50 }).toMatchObject({ tokens: 300 })
  })
})
