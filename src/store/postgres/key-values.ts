import type { Json } from '../../contract/message.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { AccountStore } from '../accounts.ts'
import { record, type Base } from './base.ts'
import { noteChange } from './changes.ts'
import type { Database } from './database.ts'

type ValueStore = Pick<AccountStore, 'putValue' | 'values' | 'changeValue'>

const PUT = `INSERT INTO kept (area, key, value, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (area, key) DO UPDATE SET value = excluded.value, at = excluded.at`
// A missing row cannot be locked, so an empty one is inserted first.
const HOLD_PLACE = `INSERT INTO kept (area, key, value, at) VALUES ($1, $2, 'null', 0) ON CONFLICT DO NOTHING RETURNING key`
const LOCK = 'SELECT value FROM kept WHERE area = $1 AND key = $2 FOR UPDATE'
const REMOVE = 'DELETE FROM kept WHERE area = $1 AND key = $2'

/** `slow`: a pool whose connections may be held for long. */
export function valueStore({ query, transaction }: Base, slow: Database): ValueStore {
  const inTurn = oneAtATime<void>()

  /** Keeps an error of `change` apart from the database's errors. */
  async function changeLocked(area: string, key: string, at: number, change: Parameters<ValueStore['changeValue']>[3]) {
    let failed: { readonly error: unknown } | undefined
    await slow.transaction(async (within) => {
      const isNew = (await within(HOLD_PLACE, [area, key])).length > 0
      const [row] = await within<{ value: string }>(LOCK, [area, key])
      const before = row && !isNew ? (JSON.parse(row.value) as Json) : undefined
      const after = await change(before).catch((error: unknown) => void (failed = { error }))
      if (after === undefined && isNew) await within(REMOVE, [area, key])
      if (after === undefined) return
      await within(PUT, [area, key, JSON.stringify(after), at])
      await noteChange(within, area)
    })
    if (failed) throw failed.error
  }

  return {
    putValue: (area, key, value, at, audit = []) =>
      transaction(async (within) => {
        await within(PUT, [area, key, JSON.stringify(value), at])
        await noteChange(within, area)
        await record(within, audit)
      }),
    async values(area) {
      const rows = await query<{ key: string; value: string }>(
        `SELECT key, value FROM kept WHERE area = $1 ORDER BY key`,
        [area],
      )
      return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as Json]))
    },
    changeValue: (area, key, at, change) => inTurn(keyOf(area, key), () => changeLocked(area, key, at, change)),
  }
}
