import { OPERATOR, type Actor } from '../contract/actor.ts'
import { auditRecord, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { AccountStore, EncryptedSecret, SecretStore } from '../store/index.ts'
import type { KeyFile } from './key-file.ts'
import { encrypt, decrypt, type SecretPlace } from './encrypt.ts'
import { newSecretKey, type SecretKey } from './secret-key.ts'

/** Texts that only this installation can read. */
export interface Secrets {
  /** Throws a Problem that names the secret if its key is not there. */
  get(place: SecretPlace): Promise<string | undefined>
  /** Encrypts a text and gives it to `store`, again while that says that the key has changed. */
  put(place: SecretPlace, text: string, store: (encrypted: EncryptedSecret) => Promise<boolean>): Promise<void>
  /** Throws a Problem if what is stored needs a key that is not here. */
  check(): Promise<void>
  /** Encrypts all secrets with a new key, and drops the earlier ones. */
  rotate(actor: Actor): Promise<Rotated>
  /** Removes the secrets whose key is lost, and returns their names. */
  forgetLost(actor: Actor): Promise<readonly string[]>
}

interface Rotated {
  readonly key: string
  readonly secrets: number
  /** the file could not be changed: earlier keys are still in it */
  readonly keepsEarlier: boolean
}

interface SecretOptions {
  /** undefined where the operator must name one and has not */
  readonly file: KeyFile | undefined
  readonly clock: Clock
  /** Whether other nodes, with files of their own, use the store. */
  hasOthers(): Promise<boolean>
}

/** How often a text is encrypted again because the key changed meanwhile. */
const TRIES = 5

type Stores = SecretStore & Pick<AccountStore, 'changeValue'>

export function createSecrets(store: Stores, { file: given, clock, hasOthers }: SecretOptions): Secrets {
  function file(): KeyFile {
    if (given) return given
    throw new Problem(
      'SECRET_KEY_ERROR',
      'SEGNO_SECRET_KEY_FILE is not set. With PostgreSQL it names the file that secrets are encrypted with, the same on every node.',
    )
  }

  async function open(secret: EncryptedSecret, keys: readonly SecretKey[] | undefined): Promise<string> {
    const key = keys?.find(({ id }) => id === secret.keyId)
    const text = key && decrypt(key, secret)
    if (text === undefined) throw unreadable(secret, key !== undefined)
    return text
  }

  async function found({ tenant, name }: SecretPlace) {
    const secret = await store.secret(tenant, name)
    return { secret, keys: secret && (await file().read()) }
  }

  /** While nobody else changes keys, on any node. */
  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done: Result[] = []
    // Only for its lock, which holds for all nodes.
    await store.changeValue('secret-key', 'rotation', clock.now(), async () => {
      done.push(await work())
      return undefined
    })
    const [result] = done
    if (result === undefined) throw changing()
    return result
  }

  /** The key to encrypt with; the first secret makes the key file. */
  async function currentKey(): Promise<SecretKey> {
    const current = await store.secretKey()
    const there = await file().read()
    const found = there?.find(({ id }) => id === current)
    if (found) return found
    if (!there && current !== undefined && (await store.secrets()).length > 0) throw missing(current)
    const keys = there ?? (await file().make())
    const claimed = await store.claimSecretKey(keys[0]?.id ?? '')
    const key = keys.find(({ id }) => id === claimed)
    if (!key) throw missing(claimed)
    return key
  }

  /** A key that nothing is encrypted with yet; one that was put first in the file is taken. */
  async function nextKey(keys: readonly SecretKey[]): Promise<SecretKey> {
    const [first] = keys
    if (first && first.id !== (await store.secretKey())) return first
    if (await hasOthers())
      throw new Problem(
        'CONFLICT',
        'Other nodes use this database, each with a key file. Put a new key, as openssl rand -base64 32 makes one, into the first line of the key file of every node; then do this again.',
      )
    const made = newSecretKey()
    await file().replace([made, ...keys])
    return made
  }

  async function reencrypt(actor: Actor, next: SecretKey, keys: readonly SecretKey[]): Promise<number> {
    for (let tries = TRIES; tries > 0; tries--) {
      const all = (await store.secrets()).filter(({ keyId }) => keyId !== next.id)
      const reencrypted = []
      for (const before of all)
        reencrypted.push({ before, after: encrypt(next, before, await open(before, keys), before.updatedAt) })
      if (
        await store.reencryptSecrets(next.id, reencrypted, [
          record('secrets_reencrypted', actor, { keyId: next.id, secrets: all.length }),
        ])
      )
        return all.length
    }
    throw changing()
  }

  function record(action: AuditRecord['action'], { id: userId, tenant }: Actor, more: AuditMetadata): AuditRecord {
    return auditRecord(action, { id: newId(), at: clock.now(), userId, tenant }, more)
  }

  async function rotate(actor: Actor): Promise<Rotated> {
    // Before anything is changed: what cannot be read would be lost with its key.
    const there = await file().read()
    for (const secret of await store.secrets()) await open(secret, there)
    const keys = there ?? (await file().make())
    const next = await nextKey(keys)
    const secrets = await reencrypt(actor, next, keys)
    const isDropped = await file()
      .replace([next])
      .then(
        () => true,
        () => false,
      )
    return { key: next.id, secrets, keepsEarlier: !isDropped }
  }

  async function forgetLost(actor: Actor): Promise<readonly string[]> {
    const keys = await file().read()
    const forgotten: string[] = []
    for (const secret of await store.secrets()) {
      const key = keys?.find(({ id }) => id === secret.keyId)
      if (key && decrypt(key, secret) !== undefined) continue
      const audit = [record('secret_forgotten', actor, { keyId: secret.keyId })]
      if (await store.removeSecret(secret.tenant, secret.name, audit)) forgotten.push(secret.name)
    }
    return forgotten
  }

  return {
    async get(place) {
      const { secret, keys } = await found(place)
      // A rotation may have ended between the two, so both are read once more.
      const isKnown = !secret || keys?.some(({ id }) => id === secret.keyId)
      const now = isKnown ? { secret, keys } : await found(place)
      return now.secret && open(now.secret, now.keys)
    },
    async put(place, text, storeEncrypted) {
      for (let tries = TRIES; tries > 0; tries--)
        if (await storeEncrypted(encrypt(await currentKey(), place, text, clock.now()))) return
      throw changing()
    },
    async check() {
      const current = await store.secretKey()
      if (current === undefined || (await store.secrets()).length === 0) return
      const keys = await file().read()
      if (!keys?.some(({ id }) => id === current)) throw missing(current)
    },
    async forgetLost(actor) {
      need(actor, OPERATOR)
      return alone(() => forgetLost(actor))
    },
    async rotate(actor) {
      need(actor, OPERATOR)
      return alone(() => rotate(actor))
    },
  }
}

function unreadable({ name, keyId }: EncryptedSecret, hasKey: boolean): Problem {
  const why = hasKey
    ? 'it is damaged, or was moved here from somewhere else. Set it again'
    : `it is encrypted with the key ${keyId}, which is not in the key file. ${PUT_BACK}`
  return new Problem('SECRET_KEY_ERROR', `The secret "${name}" cannot be read: ${why}.`)
}

const missing = (keyId: string): Problem =>
  new Problem(
    'SECRET_KEY_ERROR',
    `Secrets are stored here that are encrypted with the key ${keyId}, which is not in the key file. ${PUT_BACK}.`,
  )

const PUT_BACK =
  'Put back the file that has it (SEGNO_SECRET_KEY_FILE, the same on every node); if it is lost, segno secrets forget-lost removes what was encrypted with it, to be set again'

const changing = (): Problem => new Problem('BUSY', 'The key of the secrets is being changed; try again in a moment.')
