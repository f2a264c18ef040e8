import { Webhook } from 'standardwebhooks'
import type { SignedRequest } from '../../../src/workflow/standard-webhooks.ts'
import type { Chances } from './chances.ts'

/** A request that somebody signed who has a secret. */
export interface Real {
  readonly id: string
  readonly seconds: number
  readonly signature: string
  readonly body: string
  readonly secret: string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'
const WORDS = [
  'Zoë',
  'naïve',
  'a line\nand another',
  '🜁',
  '{"a":1}',
  '1790000000.5',
  ' ',
  '\ufffd',
  '﷽',
  'x'.repeat(300),
] as const

/** As Standard Webhooks writes them. */
export function chosenSecret({ below }: Chances): string {
  return `whsec_${Buffer.from(Array.from({ length: 32 }, () => below(256))).toString('base64')}`
}

/** Signed as the package does it; `at` is in seconds. */
export function realRequest(chances: Chances, secret: string, at: number): Real {
  const { below, one } = chances
  const id = Array.from({ length: 4 + below(40) }, () => LETTERS[below(LETTERS.length)]).join('')
  const seconds = at - 290 + below(580)
  const output = { n: below(1e9), part: below(1000) / 8, text: one(WORDS), list: [below(10), null, true] }
  const body = JSON.stringify({ status: 'success', output })
  return { id, seconds, signature: signedByPackage(secret, id, seconds, body), body, secret }
}

export const signedByPackage = (secret: string, id: string, seconds: number, body: string): string =>
  new Webhook(secret).sign(id, new Date(seconds * 1000), body)

export const asSent = ({ id, seconds, signature, body }: Real): SignedRequest => ({
  id,
  timestamp: String(seconds),
  signature,
  body: Buffer.from(body),
})
