import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tablesOf } from './postgres/with-client.ts'
import { storeSettings } from './store-under-test.ts'

/** Everything that is written in the database of a home: in its files or, on PostgreSQL, in its tables. */
export async function writtenIn(home: string): Promise<string> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url !== undefined) return inTables(url)
  return readdirSync(home)
    .filter((name) => name.startsWith('segno.db'))
    .map((name) => readFileSync(join(home, name), 'latin1'))
    .join('')
}

async function inTables(url: string): Promise<string> {
  const rows = Object.values(await tablesOf(url)).flat()
  return rows
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n')
}
