import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/index.ts'
import { openPostgres } from '../../../src/store/postgres/index.ts'
import { startPostgres } from './start-postgres.ts'
import { withClient } from './with-client.ts'

interface SearchedServer {
  readonly store: Store
  /** The names of those that are in any of its files. */
  found(words: Readonly<Record<string, string | Buffer>>): Promise<string[]>
  /** Throws away what it still has of rows that are gone. */
  vacuum(): Promise<void>
}

/** A server of this test alone, whose files are searched. */
export async function onSearchedServer(work: (server: SearchedServer) => Promise<void>): Promise<void> {
  // Otherwise the server keeps old files of its write-ahead log for later use as they are.
  const server = await startPostgres({ settings: { wal_recycle: 'off', wal_keep_size: '0', max_wal_size: '64MB' } })
  onTestFinished(() => server.stop())
  const { store } = await openPostgres({
    url: server.url,
    connections: 4,
    connectMs: 10_000,
    statementMs: 60_000,
    node: { id: () => 'here' },
  })
  onTestFinished(() => store.close())
  await withClient(server.url, async (client) => {
    const folder = (await client.query<{ data_directory: string }>('SHOW data_directory')).rows[0]?.data_directory
    if (folder === undefined) throw new Error('the server does not say where its data is')
    await work({
      store,
      async found(words) {
        await client.query('ANALYZE')
        await client.query('CHECKPOINT')
        const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
        return Object.keys(words).filter((name) => bytes.some((file) => file.includes(words[name] ?? '')))
      },
      async vacuum() {
        await client.query('VACUUM FULL')
        for (let i = 0; i < 2; i++) {
          await client.query('SELECT pg_switch_wal()')
          await client.query('CHECKPOINT')
        }
      },
    })
  })
}
