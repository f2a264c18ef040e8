import type { Json } from '../../contract/message.ts'
import type { AccountStore } from '../accounts.ts'
import type { Base } from './base.ts'

/** Small things that are kept under a name, each in an area of its own. */
export function keptStore({ db, beside, reading }: Base): Pick<AccountStore, 'keep' | 'kept'> {
  const put = db.prepare(
    `INSERT INTO kept (area, key, value, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (area, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
  )
  const ofArea = db.prepare('SELECT key, value FROM kept WHERE area = ? ORDER BY key')
  return {
    async keep(area, key, value, at, audit = []) {
      await beside({ audit }, at, () => put.run(area, key, JSON.stringify(value), at))
    },
    kept: (area) =>
      reading(() => {
        const rows = ofArea.all(area) as unknown as { key: string; value: string }[]
        return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as Json]))
      }),
  }
}
