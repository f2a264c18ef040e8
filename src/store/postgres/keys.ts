import type { AccountStore } from '../accounts.ts'
import { KEY_COLUMNS, keyOfRow, keyValues, NEW_KEY_COLUMNS, type KeyRow } from '../key-row.ts'
import { viewOf } from '../page.ts'
import type { Base } from './base.ts'
import { noteChange } from './changes.ts'

type Keys = Pick<AccountStore, 'putKey' | 'key' | 'keys' | 'revokedKeys' | 'revokeKey'>

export function keyStore({ query, withExtras }: Base): Keys {
  return {
    putKey: (key, more) =>
      withExtras(more, key.createdAt, async (within) => {
        const values = keyValues(key)
        await within(
          `INSERT INTO keys (${NEW_KEY_COLUMNS}) VALUES (${values.map((_, i) => `$${i + 1}`).join(', ')})`,
          values,
        )
        return 'stored' as const
      }),
    async key(id) {
      const [row] = await query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = $1`, [id])
      return viewOf(row, keyOfRow)
    },
    async keys(tenant) {
      const rows = await query<KeyRow>(
        `SELECT ${KEY_COLUMNS} FROM keys WHERE $1::text IS NULL OR tenant = $1 ORDER BY created_at, id`,
        [tenant ?? null],
      )
      return rows.map(keyOfRow)
    },
    async revokedKeys(ids) {
      const rows = await query<{ id: string }>('SELECT id FROM keys WHERE id = ANY($1) AND revoked_at IS NULL', [ids])
      const good = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !good.has(id))
    },
    revokeKey: async (id, at, more) =>
      (await withExtras(more, at, async (within) => {
        const revoked = await within(
          'UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING id',
          [at, id],
        )
        if (revoked.length > 0) await noteChange(within, 'keys')
        return revoked.length > 0
      })) === true,
  }
}
