import type { DatabaseSync } from 'node:sqlite'
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
import type { Base } from './base.ts'

/** Secrets that are stored in the transaction of what they belong to. */
export function secretsIn(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO secrets (tenant, name, key_id, encrypted, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (tenant, name) DO UPDATE SET key_id = excluded.key_id, encrypted = excluded.encrypted,
       updated_at = excluded.updated_at`,
  )
  const remove = db.prepare('DELETE FROM secrets WHERE tenant = ? AND name = ?')
  const findKey = db.prepare('SELECT id FROM secret_key')
  const keyNow = (): string | undefined => (findKey.get() as { id: string } | undefined)?.id
  return {
    keyNow,
    isUnderCurrentKey: ({ keyId }: EncryptedSecret): boolean => keyId === keyNow(),
    put: (secret: EncryptedSecret): void => void put.run(...secretValues(secret)),
    remove: (tenant: string, name: string): boolean => remove.run(tenant, name).changes > 0,
  }
}

export function secretStore({ db, withExtras, group, record, reading }: Base): SecretStore {
  const { keyNow, isUnderCurrentKey, put, remove } = secretsIn(db)
  const one = db.prepare(`SELECT ${SECRET_COLUMNS} FROM secrets WHERE tenant = ? AND name = ?`)
  const all = db.prepare(`SELECT ${SECRET_COLUMNS} FROM secrets ORDER BY tenant, name`)
  const reencrypt = db.prepare(
    'UPDATE secrets SET key_id = ?, encrypted = ? WHERE tenant = ? AND name = ? AND key_id = ? AND encrypted = ?',
  )
  const some = db.prepare('SELECT 1 FROM secrets LIMIT 1')
  const setKey = db.prepare('INSERT INTO secret_key (one, id) VALUES (1, ?) ON CONFLICT DO UPDATE SET id = excluded.id')
  const providers = db.prepare(`SELECT ${PROVIDER_COLUMNS} FROM providers ORDER BY name`)
  const putProvider = db.prepare(
    `INSERT INTO providers (name, body, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  )
  const removeProvider = db.prepare('DELETE FROM providers WHERE name = ?')

  return {
    secret: (tenant, name) => reading(() => one.get(tenant, name) as unknown as EncryptedSecret | undefined),
    secrets: () => reading(() => all.all() as unknown as EncryptedSecret[]),
    secretKey: () => reading(keyNow),
    claimSecretKey: (keyId) =>
      group.run(() => {
        const key = keyNow()
        if (key !== undefined && some.get()) return key
        setKey.run(keyId)
        return keyId
      }),
    putSecret: (secret, audit = []) =>
      group.run((onRollback) => {
        if (!isUnderCurrentKey(secret)) return false
        put(secret)
        record(audit, onRollback)
        return true
      }),
    removeSecret: async (tenant, name, audit = []) =>
      (await withExtras({ audit }, 0, () => remove(tenant, name))) === true,
    reencryptSecrets: (keyId, reencrypted, audit = []) =>
      group.run((onRollback) => {
        // Looked at before anything is written, because a refusal undoes nothing.
        if (leavesOne(all.all() as unknown as EncryptedSecret[], keyId, reencrypted)) return false
        for (const { before, after } of reencrypted)
          reencrypt.run(after.keyId, after.encrypted, before.tenant, before.name, before.keyId, before.encrypted)
        setKey.run(keyId)
        record(audit, onRollback)
        return true
      }),

    providers: () => reading(() => (providers.all() as unknown as ProviderRow[]).map(providerOfRow)),
    putProvider: (provider, secret, audit = []) =>
      group.run((onRollback) => {
        if (secret && !isUnderCurrentKey(secret)) return false
        putProvider.run(...providerValues(provider))
        if (secret) put(secret)
        else remove(INSTALLATION, providerSecret(provider.name))
        record(audit, onRollback)
        return true
      }),
    removeProvider: async (name, audit = []) =>
      (await withExtras({ audit }, 0, () => {
        remove(INSTALLATION, providerSecret(name))
        return removeProvider.run(name).changes > 0
      })) === true,
  }
}
