import type { DatabaseSync } from 'node:sqlite'
import type { StoredKey } from '../../contract/account.ts'
import { viewOf } from './page.ts'

interface Row extends Omit<StoredKey, 'scopes' | 'operator'> {
  scopes: string | null
  operator: number
}

const SELECT = `SELECT id, tenant, user_id AS userId, name, role, scopes, operator, hash, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt FROM keys`

export function keysIn(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO keys (id, tenant, user_id, name, role, scopes, operator, hash, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = db.prepare(`${SELECT} WHERE id = ?`)
  const ofTenant = db.prepare(`${SELECT} WHERE ? IS NULL OR tenant = ? ORDER BY created_at, id`)
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  return {
    put(key: StoredKey): void {
      const { id, tenant, userId, name, role, scopes, operator, hash, createdAt, expiresAt, revokedAt } = key
      const held = scopes === null ? null : JSON.stringify(scopes)
      insert.run(id, tenant, userId, name, role, held, operator ? 1 : 0, hash, createdAt, expiresAt, revokedAt)
    },
    get: (id: string): StoredKey | undefined => viewOf(byId.get(id), view),
    list: (tenant: string | undefined): StoredKey[] =>
      (ofTenant.all(tenant ?? null, tenant ?? null) as unknown as Row[]).map(view),
    revoke: (id: string, at: number): boolean => revoke.run(at, id).changes > 0,
  }
}

const view = ({ scopes, operator, ...key }: Row): StoredKey => ({
  ...key,
  scopes: scopes === null ? null : (JSON.parse(scopes) as string[]),
  operator: operator === 1,
})
