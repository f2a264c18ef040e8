import type { ProviderRecord } from '../contract/provider.ts'
import { keyOf } from '../lib/key-of.ts'
import type { Reencrypted, EncryptedSecret } from './secrets.ts'

export const SECRET_COLUMNS = 'tenant, name, key_id AS "keyId", encrypted, updated_at AS "updatedAt"'

export const secretValues = ({ tenant, name, keyId, encrypted, updatedAt }: EncryptedSecret): (string | number)[] => [
  tenant,
  name,
  keyId,
  encrypted,
  updatedAt,
]

export interface ProviderRow {
  readonly name: string
  readonly body: string
  readonly updatedAt: number
}

export const PROVIDER_COLUMNS = 'name, body, updated_at AS "updatedAt"'

export function providerValues({ name, updatedAt, ...body }: ProviderRecord): (string | number)[] {
  return [name, JSON.stringify(body), updatedAt]
}

export function providerOfRow({ name, body, updatedAt }: ProviderRow): ProviderRecord {
  return { ...(JSON.parse(body) as Omit<ProviderRecord, 'name' | 'updatedAt'>), name, updatedAt }
}

/** Tells one encrypted form of a secret from every other. */
const placeOf = ({ tenant, name, encrypted }: EncryptedSecret): string => keyOf(tenant, name, encrypted)

/** Whether a secret would still be under an earlier key once these are reencrypted. */
export function leavesOne(
  all: readonly EncryptedSecret[],
  keyId: string,
  reencrypted: readonly Reencrypted[],
): boolean {
  const known = new Set(reencrypted.map(({ before }) => placeOf(before)))
  return all.some((secret) => secret.keyId !== keyId && !known.has(placeOf(secret)))
}
