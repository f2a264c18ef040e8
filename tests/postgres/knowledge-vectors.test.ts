import { afterAll } from 'vitest'
import { storeSuite } from '../conformance/store.suite.ts'
import { openedStore } from '../support/postgres/opened-store.ts'
import { pgliteServer, type PGliteServer } from '../support/postgres/pglite-server.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'

let server: PGliteServer | undefined
afterAll(() => server?.close())

async function withVectors(): Promise<string> {
  server ??= await pgliteServer()
  return server.url
}

// The server of the other tests has no vectors, so this one runs in the process of the test.
storeSuite('postgres with vectors', async () => openedStore(await reusedDatabase(withVectors)), ['knowledge'])
