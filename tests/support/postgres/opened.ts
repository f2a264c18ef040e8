import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/index.ts'
import { openPostgres } from '../../../src/store/postgres/index.ts'
import { freshDatabase } from './fresh-database.ts'
import { reusedDatabase } from './reused-database.ts'

/**
 * A database of its own for one test, with as many nodes and bare connections on it as it asks for. `isNew`: nobody gets it
 * afterwards, so its tables may be changed.
 */
export async function openedDatabase({ isNew = false } = {}) {
  const { url, drop } = isNew ? await freshDatabase() : await reused()
  const ends: (() => Promise<unknown>)[] = []
  onTestFinished(async () => {
    for (const end of ends) await end().catch(() => {})
    await drop()
  })
  return {
    url,
    async node(id = 'here'): Promise<Store> {
      const limits = { connections: 4, connectMs: 5000, statementMs: 20_000 }
      const { store } = await openPostgres({ url, ...limits, node: { id: () => id } })
      ends.push(() => store.close())
      return store
    },
    async connection(): Promise<Client> {
      const client = new Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      ends.push(() => client.end())
      return client
    },
  }
}

async function reused() {
  const { url, giveBack } = await reusedDatabase()
  return { url, drop: giveBack }
}
