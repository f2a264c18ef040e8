import type { Json } from '../../contract/message.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { AccountStore } from '../accounts.ts'
import type { Base } from './base.ts'

export function valueStore({
  db,
  withExtras,
  reading,
}: Base): Pick<AccountStore, 'putValue' | 'values' | 'changeValue' | 'onChange'> {
  const inTurn = oneAtATime<void>()
  const put = db.prepare(
    `INSERT INTO kept (area, key, value, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (area, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
  )
  const ofArea = db.prepare('SELECT key, value FROM kept WHERE area = ? ORDER BY key')

  const putValue: AccountStore['putValue'] = async (area, key, value, at, audit = []) => {
    await withExtras({ audit }, at, () => put.run(area, key, JSON.stringify(value), at))
  }

  const values = (area: string): Promise<Readonly<Record<string, Json>>> =>
    reading(() => {
      const rows = ofArea.all(area) as unknown as { key: string; value: string }[]
      return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as Json]))
    })

  return {
    putValue,
    values,
    changeValue: (area, key, at, change) =>
      inTurn(keyOf(area, key), async () => {
        const changed = await change((await values(area))[key])
        if (changed !== undefined) await putValue(area, key, changed, at)
      }),
    // No other process uses the file.
    onChange: () => () => {},
  }
}
