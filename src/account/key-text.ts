import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../lib/hash.ts'

const TEXT = /^segno_([0-9a-f]{16})_([0-9a-f]{64})$/

/** A new key; its text is shown once. */
export function newKeyText(): { id: string; text: string; hash: string } {
  const id = randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('hex')
  return { id, text: `segno_${id}_${secret}`, hash: sha256(secret) }
}

export function readKeyText(text: string): { id: string; hash: string } | undefined {
  const [, id, secret] = TEXT.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, hash: sha256(secret) }
}

/** A plain hash is enough for 256 random bits; the comparison takes constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
