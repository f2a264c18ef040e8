import { expect, onTestFinished, test } from 'vitest'
import type { Watched } from '../../src/store/index.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { watchHeads } from '../../src/store/postgres/watch.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'

const WAIT = { timeout: 5000, interval: 5 }

async function stage(everyMs: number) {
  const fresh = await freshDatabase()
  const database = openDatabase({ url: fresh.url, connections: 2, connectMs: 5000, statementMs: 5000 })
  await database.query('CREATE TABLE heads (session_id text PRIMARY KEY, owner text, head integer NOT NULL)')
  const asked: string[][] = []
  const owned = new Set<string>()
  const { watch, close } = watchHeads({
    query(sql, values) {
      asked.push((values as [string[]])[0])
      return database.query(sql, values)
    },
    node: { id: () => 'me' },
    isOwned: (id) => owned.has(id),
    everyMs,
  })
  onTestFinished(async () => {
    close()
    await database.close()
    await fresh.drop()
  })
  const put = (id: string, head: number, owner: string | null) =>
    database.query(
      'INSERT INTO heads VALUES ($1, $2, $3) ON CONFLICT (session_id) DO UPDATE SET head = $3, owner = $2',
      [id, owner, head],
    )
  function follow(id: string) {
    const told: Watched[] = []
    return { told, stop: watch(id, (now) => told.push(now)) }
  }
  return { put, follow, asked, owned, query: database.query }
}

test('all sessions are asked for in one statement, at once when they are new and then each time', async () => {
  const { put, follow, asked } = await stage(200)
  for (const id of ['a', 'b', 'c']) await put(id, 1, 'other')
  const all = ['a', 'b', 'c'].map(follow)
  await expect.poll(() => all.map(({ told }) => told), WAIT).toEqual(all.map(() => [{ head: 1, owner: 'other' }]))
  const late = follow('d')
  await put('b', 2, 'other')
  await expect.poll(() => all[1]?.told.length, WAIT).toBe(2)
  expect(asked[0]).toEqual(['a', 'b', 'c'])
  expect(asked.filter((ids) => ids.includes('a') && ids.length < 3)).toEqual([])
  expect(late.told).toEqual([])
  for (const { stop } of [...all, late]) stop()
  const before = asked.length
  const again = follow('a')
  await expect.poll(() => again.told.length, WAIT).toBe(1)
  expect(asked.slice(before).flat()).toEqual(['a'])
})

test('who comes later is told what the others know', async () => {
  const { put, follow, asked } = await stage(60_000)
  await put('a', 4, null)
  const first = follow('a')
  await expect.poll(() => first.told, WAIT).toEqual([{ head: 4 }])
  const second = follow('a')
  await expect.poll(() => second.told, WAIT).toEqual([{ head: 4 }])
  expect(asked).toHaveLength(1)
})

test('nothing is told of a session while it is owned here, and again once it is not', async () => {
  const { put, follow, owned, asked } = await stage(10)
  owned.add('known')
  await put('known', 1, 'me')
  await put('named', 1, 'me')
  await put('other', 1, 'other')
  const [known, named, other] = [follow('known'), follow('named'), follow('other')]
  await expect.poll(() => other.told.length, WAIT).toBe(1)
  expect([known.told, named.told]).toEqual([[], []])
  expect(asked.flat()).not.toContain('known')
  owned.delete('known')
  await put('known', 1, 'other')
  await put('named', 2, null)
  await expect.poll(() => known.told, WAIT).toEqual([{ head: 1, owner: 'other' }])
  await expect.poll(() => named.told, WAIT).toEqual([{ head: 2 }])
  await put('named', 2, 'me')
  await put('other', 2, 'other')
  await expect.poll(() => other.told.length, WAIT).toBe(2)
  await put('named', 2, null)
  await expect.poll(() => named.told, WAIT).toEqual([{ head: 2 }, { head: 2 }])
})

test('a session that is gone has no end; one that is not there yet is told when it is', async () => {
  const { put, follow, query } = await stage(10)
  const [gone, coming, other] = [follow('gone'), follow('coming'), follow('other')]
  await put('gone', 3, null)
  await expect.poll(() => gone.told.length, WAIT).toBe(1)
  await query("DELETE FROM heads WHERE session_id = 'gone'")
  await expect.poll(() => gone.told.at(-1), WAIT).toEqual({ head: Infinity })
  expect(coming.told).toEqual([])
  await put('coming', 1, 'other')
  await expect.poll(() => coming.told, WAIT).toEqual([{ head: 1, owner: 'other' }])
  expect(other.told).toEqual([])
})

test('a database that is gone for a moment is asked again', async () => {
  const { put, follow, asked, query } = await stage(10)
  await put('a', 1, 'other')
  const { told } = follow('a')
  await expect.poll(() => told.length, WAIT).toBe(1)
  await query('ALTER TABLE heads RENAME TO hidden')
  const before = asked.length
  await expect.poll(() => asked.length, WAIT).toBeGreaterThan(before + 1)
  await query('ALTER TABLE hidden RENAME TO heads')
  await put('a', 2, 'other')
  await expect.poll(() => told.at(-1)?.head, WAIT).toBe(2)
})
