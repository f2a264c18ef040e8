import type { StoredKey } from '../../contract/account.ts'
import type { AccountStore } from '../accounts.ts'
import type { Base } from './base.ts'
import { viewOf } from './page.ts'

interface Row extends Omit<StoredKey, 'scopes' | 'operator'> {
  scopes: string | null
  operator: number
}

const SELECT = `SELECT id, tenant, user_id AS userId, name, role, scopes, operator, hash, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM keys`

type Keys = Pick<AccountStore, 'putKey' | 'key' | 'keys' | 'revokeKey'>

export function keyStore({ db, beside, reading }: Base): Keys {
  const insert = db.prepare(
    `INSERT INTO keys (id, tenant, user_id, name, role, scopes, operator, hash, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = db.prepare(`${SELECT} WHERE id = ?`)
  const ofTenant = db.prepare(`${SELECT} WHERE ? IS NULL OR tenant = ? ORDER BY created_at, id`)
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  return {
    putKey(key, more) {
      const { id, tenant, userId, name, role, scopes, operator, hash, createdAt, expiresAt, revokedAt } = key
      const held = scopes === null ? null : JSON.stringify(scopes)
      return beside(more, createdAt, () => {
        insert.run(id, tenant, userId, name, role, held, operator ? 1 : 0, hash, createdAt, expiresAt, revokedAt)
        return 'stored'
      })
    },
    key: (id) => reading(() => viewOf(byId.get(id), view)),
    keys: (tenant) => reading(() => (ofTenant.all(tenant ?? null, tenant ?? null) as unknown as Row[]).map(view)),
    revokeKey: async (id, at, more) => (await beside(more, at, () => revoke.run(at, id).changes > 0)) === true,
  }
}

const view = ({ scopes, operator, ...key }: Row): StoredKey => ({
  ...key,
  scopes: scopes === null ? null : (JSON.parse(scopes) as string[]),
  operator: operator === 1,
})
