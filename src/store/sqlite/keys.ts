import type { AccountStore } from '../accounts.ts'
import { KEY_COLUMNS, keyOfRow, keyValues, NEW_KEY_COLUMNS, type KeyRow } from '../key-row.ts'
import { viewOf } from '../page.ts'
import type { Base } from './base.ts'

type Keys = Pick<AccountStore, 'putKey' | 'key' | 'keys' | 'revokedKeys' | 'revokeKey'>

export function keyStore({ db, withExtras, reading }: Base): Keys {
  const insert = db.prepare(`INSERT INTO keys (${NEW_KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const byId = db.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = ?`)
  const ofTenant = db.prepare(`SELECT ${KEY_COLUMNS} FROM keys WHERE ? IS NULL OR tenant = ? ORDER BY created_at, id`)
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  return {
    putKey: (key, more) =>
      withExtras(more, key.createdAt, () => {
        insert.run(...keyValues(key))
        return 'stored'
      }),
    key: (id) => reading(() => viewOf(byId.get(id), keyOfRow)),
    keys: (tenant) =>
      reading(() => (ofTenant.all(tenant ?? null, tenant ?? null) as unknown as KeyRow[]).map(keyOfRow)),
    revokedKeys: (ids) => reading(() => ids.filter((id) => viewOf(byId.get(id), keyOfRow)?.revokedAt !== null)),
    revokeKey: async (id, at, more) => (await withExtras(more, at, () => revoke.run(at, id).changes > 0)) === true,
  }
}
