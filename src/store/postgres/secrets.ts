import {
  leavesOne,
  PROVIDER_COLUMNS,
  providerOfRow,
  providerValues,
  SECRET_COLUMNS,
  secretValues,
  type ProviderRow,
} from '../secret-row.ts'
import { INSTALLATION, providerSecret, type EncryptedSecret, type SecretStore } from '../secrets.ts'
import { record, type Base } from './base.ts'
import { noteChange } from './changes.ts'
import type { Query } from './database.ts'

const PUT = `INSERT INTO secrets (tenant, name, key_id, encrypted, updated_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant, name) DO UPDATE SET key_id = excluded.key_id, encrypted = excluded.encrypted,
    updated_at = excluded.updated_at`
const REMOVE = 'DELETE FROM secrets WHERE tenant = $1 AND name = $2 RETURNING name'
const ALL = `SELECT ${SECRET_COLUMNS} FROM secrets ORDER BY tenant, name`
const SET_KEY = 'INSERT INTO secret_key (one, id) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET id = excluded.id'
const PUT_PROVIDER = `INSERT INTO providers (name, body, updated_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`

/** The area that tells other nodes to read the providers again. */
const PROVIDERS = 'providers'

export function secretStore({ query, transaction }: Base): SecretStore {
  return {
    async secret(tenant, name) {
      const sql = `SELECT ${SECRET_COLUMNS} FROM secrets WHERE tenant = $1 AND name = $2`
      return (await query<EncryptedSecret>(sql, [tenant, name]))[0]
    },
    secrets: () => query<EncryptedSecret>(ALL),
    secretKey: () => keyIn(query),
    claimSecretKey: (keyId) =>
      transaction(async (within) => {
        await within('INSERT INTO secret_key (one, id) VALUES (1, $1) ON CONFLICT DO NOTHING', [keyId])
        const key = await keyIn(within, 'FOR UPDATE')
        const [some] = await within('SELECT FROM secrets LIMIT 1')
        if (key !== undefined && some) return key
        await within(SET_KEY, [keyId])
        return keyId
      }),
    putSecret: (secret, audit = []) =>
      transaction(async (within) => {
        if (!(await isUnderCurrentKey(within, secret))) return false
        await putSecretIn(within, secret)
        await record(within, audit)
        return true
      }),
    removeSecret: (tenant, name, audit = []) =>
      transaction(async (within) => {
        const removed = await removeSecretIn(within, tenant, name)
        if (removed) await record(within, audit)
        return removed
      }),
    reencryptSecrets: (keyId, reencrypted, audit = []) =>
      transaction(async (within) => {
        // Whoever stores a secret waits for this, and then sees the new key.
        await keyIn(within, 'FOR UPDATE')
        if (leavesOne(await within<EncryptedSecret>(ALL), keyId, reencrypted)) return false
        for (const { before, after } of reencrypted)
          await within(
            `UPDATE secrets SET key_id = $1, encrypted = $2
             WHERE tenant = $3 AND name = $4 AND key_id = $5 AND encrypted = $6`,
            [after.keyId, after.encrypted, before.tenant, before.name, before.keyId, before.encrypted],
          )
        await within(SET_KEY, [keyId])
        await noteChange(within, PROVIDERS)
        await record(within, audit)
        return true
      }),

    async providers() {
      const rows = await query<ProviderRow>(`SELECT ${PROVIDER_COLUMNS} FROM providers ORDER BY name`)
      return rows.map(providerOfRow)
    },
    putProvider: (provider, secret, audit = []) =>
      transaction(async (within) => {
        if (secret && !(await isUnderCurrentKey(within, secret))) return false
        await within(PUT_PROVIDER, providerValues(provider))
        if (secret) await putSecretIn(within, secret)
        else await removeSecretIn(within, INSTALLATION, providerSecret(provider.name))
        await noteChange(within, PROVIDERS)
        await record(within, audit)
        return true
      }),
    removeProvider: (name, audit = []) =>
      transaction(async (within) => {
        const removed = await within('DELETE FROM providers WHERE name = $1 RETURNING name', [name])
        await removeSecretIn(within, INSTALLATION, providerSecret(name))
        if (removed.length === 0) return false
        await noteChange(within, PROVIDERS)
        await record(within, audit)
        return true
      }),
  }
}

async function keyIn(query: Query, how = ''): Promise<string | undefined> {
  return (await query<{ id: string }>(`SELECT id FROM secret_key ${how}`))[0]?.id
}

export async function putSecretIn(within: Query, secret: EncryptedSecret): Promise<void> {
  await within(PUT, secretValues(secret))
}

export async function removeSecretIn(within: Query, tenant: string, name: string): Promise<boolean> {
  return (await within(REMOVE, [tenant, name])).length > 0
}

/** Nobody puts another key in force before the end of the transaction. */
export const isUnderCurrentKey = async (within: Query, { keyId }: EncryptedSecret): Promise<boolean> =>
  (await keyIn(within, 'FOR SHARE')) === keyId
