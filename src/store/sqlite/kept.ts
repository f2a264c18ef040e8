import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../contract/message.ts'

/** Small things that are kept under a name, each in an area of its own. */
export function keptIn(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO kept (area, key, value, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (area, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
  )
  const ofArea = db.prepare('SELECT key, value FROM kept WHERE area = ? ORDER BY key')
  return {
    put: (area: string, key: string, value: Json, at: number): void =>
      void put.run(area, key, JSON.stringify(value), at),
    list(area: string): Record<string, Json> {
      const rows = ofArea.all(area) as unknown as { key: string; value: string }[]
      return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as Json]))
    },
  }
}
