import type { StoredKey } from '../contract/account.ts'

export interface KeyRow extends Omit<StoredKey, 'scopes' | 'operator'> {
  scopes: string | null
  operator: number
}

export const KEY_COLUMNS = `id, tenant, user_id AS "userId", name, role, scopes, operator, hash, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`

/** In the order of `keyValues`. */
export const NEW_KEY_COLUMNS =
  'id, tenant, user_id, name, role, scopes, operator, hash, created_at, expires_at, revoked_at'

export function keyValues(key: StoredKey): (string | number | null)[] {
  const { id, tenant, userId, name, role, scopes, operator, hash, createdAt, expiresAt, revokedAt } = key
  const held = scopes === null ? null : JSON.stringify(scopes)
  return [id, tenant, userId, name, role, held, operator ? 1 : 0, hash, createdAt, expiresAt, revokedAt]
}

export const keyOfRow = ({ scopes, operator, ...key }: KeyRow): StoredKey => ({
  ...key,
  scopes: scopes === null ? null : (JSON.parse(scopes) as string[]),
  operator: operator === 1,
})
