import { freshDatabase, type FreshDatabase } from './fresh-database.ts'
import { setup as startServer, teardown as stopServer } from './global-setup.ts'
import { openPostgres } from '../../../src/store/postgres/index.ts'

let template: FreshDatabase | undefined

/** A server, and on it a database that is up to date: those of the homes are copies of it. */
export async function setup(): Promise<void> {
  await startServer()
  template = await freshDatabase()
  const { url, name } = template
  const node = { id: () => 'template' }
  const { store } = await openPostgres({ url, node, connections: 1, connectMs: 10_000, statementMs: 60_000 })
  await store.close()
  process.env['SEGNO_TEST_POSTGRES_TEMPLATE'] = name
}

export async function teardown(): Promise<void> {
  await template?.drop()
  await stopServer()
}
