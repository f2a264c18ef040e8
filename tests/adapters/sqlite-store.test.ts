import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { storeSuite } from '../conformance/store.suite.ts'

storeSuite('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'segno-store-'))
  const open = () => openSqliteStore({ file: join(folder, 'segno.db'), durability: 'full' })
  let store = open()
  return {
    store,
    async reopen() {
      await store.close()
      return (store = open())
    },
    async close() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
})
