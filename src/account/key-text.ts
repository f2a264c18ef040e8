import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../lib/hash.ts'

const TEXT = /^segno_([0-9a-f]{16})_([0-9a-f]{64})$/

/** A new key as a person sees it, once. */
export function newKeyText(): { id: string; text: string; hash: string } {
  const id = randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('hex')
  return { id, text: `segno_${id}_${secret}`, hash: sha256(secret) }
}

export function readKeyText(text: string): { id: string; hash: string } | undefined {
  const [, id, secret] = TEXT.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, hash: sha256(secret) }
}

/** 256 random bits cannot be guessed, so a plain hash is enough; comparing takes the same time for any wrong one. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
