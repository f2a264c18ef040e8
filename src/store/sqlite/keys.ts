import type { DatabaseSync } from 'node:sqlite'
import type { StoredKey } from '../../contract/account.ts'
import type { Role } from '../../contract/actor.ts'

interface Row {
  id: string
  tenant: string
  user_id: string
  name: string
  role: Role
  scopes: string | null
  operator: 0 | 1
  hash: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export function keysIn(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO keys (id, tenant, user_id, name, role, scopes, operator, hash, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = db.prepare('SELECT * FROM keys WHERE id = ?')
  const ofTenant = db.prepare('SELECT * FROM keys WHERE ? IS NULL OR tenant = ? ORDER BY created_at, id')
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  return {
    put(key: StoredKey): void {
      const { id, tenant, userId, name, role, scopes, operator, hash, createdAt, expiresAt, revokedAt } = key
      const held = scopes === null ? null : JSON.stringify(scopes)
      insert.run(id, tenant, userId, name, role, held, operator ? 1 : 0, hash, createdAt, expiresAt, revokedAt)
    },
    get(id: string): StoredKey | undefined {
      const row = byId.get(id) as unknown as Row | undefined
      return row && view(row)
    },
    list(tenant: string | undefined): StoredKey[] {
      return (ofTenant.all(tenant ?? null, tenant ?? null) as unknown as Row[]).map(view)
    },
    revoke: (id: string, at: number): boolean => revoke.run(at, id).changes > 0,
  }
}

function view(row: Row): StoredKey {
  return {
    id: row.id,
    tenant: row.tenant,
    userId: row.user_id,
    name: row.name,
    role: row.role,
    scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]),
    operator: row.operator === 1,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}
