import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { ensureDatabase } from './postgres/fresh-database.ts'

/** `SEGNO_TEST_STORE`: where tests keep their data. In PostgreSQL every home has a database of its own. */
export const STORE = process.env['SEGNO_TEST_STORE'] === 'postgres' ? 'postgres' : 'sqlite'

/** Tells a process that a test starts the same. */
export const storeEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => /^SEGNO_TEST_(?:STORE|POSTGRES_)/.test(entry[0]) && entry[1] !== undefined,
    ),
  )

/** The settings with which Segno keeps the data of a home in the store under test. */
export async function storeSettings(home: string | undefined): Promise<Record<string, string>> {
  if (STORE === 'sqlite' || home === undefined) return {}
  const url = await ensureDatabase(`${homesPrefix()}${digest(home)}`)
  return { SEGNO_DATABASE_URL: url, SEGNO_SECRET_KEY_FILE: join(home, 'secret.key') }
}

/** With what the names of databases begin that belong to homes of the tests in this file. */
export const homesPrefix = (): string => `home_${process.env['SEGNO_TEST_POSTGRES_FILE'] ?? '0'}_`

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** What a home has, opened beside or without Segno. */
export async function openStoreOf(home: string, durability: 'full' | 'normal' = 'normal'): Promise<Store> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url === undefined) return openSqliteStore({ file: join(home, 'segno.db'), durability })
  const node = { id: () => 'a test' }
  return (await openPostgres({ url, node, connections: 8, connectMs: 10_000, statementMs: 60_000 })).store
}
