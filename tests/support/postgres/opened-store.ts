import type { Store } from '../../../src/store/index.ts'
import { openPostgres } from '../../../src/store/postgres/index.ts'
import { MIGRATIONS } from '../../../src/store/postgres/migrations/index.ts'
import type { Opened } from '../../conformance/store/subject.ts'
import type { ReusedDatabase } from './reused-database.ts'

/** Later than any test, and as exact in the database as here. */
const LATER = 4_000_000_000_000

/** The stores of one test of the suite, in a database that is given back with them; `share` of its random runs are made. */
export async function openedStore(database: ReusedDatabase, share = 1): Promise<Opened> {
  const opened: Store[] = []

  async function open(id: string): Promise<Store> {
    await database.query(
      `INSERT INTO nodes (id, release, version, joined_at, seen_at, until) VALUES ($1, '', $3, 0, 0, $2) ON CONFLICT DO NOTHING`,
      [id, LATER, MIGRATIONS.length],
    )
    const { store } = await openPostgres({
      url: database.url,
      node: { id: () => id },
      connections: 4,
      connectMs: 10_000,
      statementMs: 60_000,
      watchMs: 20,
    })
    opened.push(store)
    return store
  }

  let store = await open('first')
  return {
    store,
    until: LATER,
    share,
    async second() {
      const second = await open('second')
      // Somebody who says goodbye may still have something to store; it is closed at the end.
      return { ...second, close: () => leave('second') }
    },
    async endTime() {
      await database.query(`UPDATE nodes SET evicted = true, until = 0 WHERE id = 'first'`)
    },
    async reopen() {
      await store.close()
      return (store = await open('first'))
    },
    async close() {
      for (const one of opened) await one.close()
      await database.giveBack()
    },
  }

  async function leave(id: string): Promise<void> {
    await database.query('UPDATE nodes SET left_at = now_ms() WHERE id = $1', [id])
  }
}
