import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withClient } from './postgres/with-client.ts'
import { storeSettings } from './store-under-test.ts'

/** Changes what is in the database of a home, behind the back of Segno. Tells how many rows were. */
export async function changeStored(home: string, sql: string): Promise<number> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url !== undefined) return withClient(url, async (client) => (await client.query(sql)).rowCount ?? 0)
  const db = new DatabaseSync(join(home, 'segno.db'))
  try {
    return Number(db.prepare(sql).run().changes)
  } finally {
    db.close()
  }
}
