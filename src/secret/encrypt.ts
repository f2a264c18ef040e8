import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptedSecret } from '../store/index.ts'
import type { SecretKey } from './secret-key.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Whose secret it is, and what it is called. */
export type SecretPlace = Pick<EncryptedSecret, 'tenant' | 'name'>

/** Encrypts a text so that it can be opened only with this key, and only at this place. */
export function encrypt(
  { id, bytes }: SecretKey,
  { tenant, name }: SecretPlace,
  text: string,
  at: number,
): EncryptedSecret {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(boundTo({ tenant, name }))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return { tenant, name, keyId: id, encrypted: Buffer.concat(parts).toString('base64'), updatedAt: at }
}

/** Undefined if it was encrypted with another key, for another place, or was changed. */
export function decrypt({ bytes }: SecretKey, secret: EncryptedSecret): string | undefined {
  const all = Buffer.from(secret.encrypted, 'base64')
  if (all.length < NONCE_BYTES + TAG_BYTES) return undefined
  const cipher = createDecipheriv(CIPHER, bytes, all.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  cipher.setAAD(boundTo(secret))
  cipher.setAuthTag(all.subarray(-TAG_BYTES))
  try {
    return cipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return undefined
  }
}

/** As JSON, so that no two places read the same. */
const boundTo = ({ tenant, name }: SecretPlace): Buffer => Buffer.from(JSON.stringify(['segno secret', tenant, name]))
