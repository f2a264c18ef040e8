import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../contract/problem.ts'

/** A request signed as Standard Webhooks says, byte for byte as it came. */
export interface SignedRequest {
  /** the `webhook-*` headers */
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: Uint8Array
}

interface Message {
  readonly id: string
  /** in seconds */
  readonly timestamp: number
  readonly body: string | Uint8Array
}

export type SignedVerdict =
  | { readonly isValid: true; readonly id: string }
  | { readonly isValid: false; readonly reason: SignatureFault }

/** `wrong`: no secret that counts has made one of the signatures */
type SignatureFault = 'missing' | 'malformed' | 'old' | 'early' | 'wrong'

const PREFIX = 'whsec_'
/** Without a full stop, because it separates the parts that are signed. */
const ID = /^[A-Za-z0-9_:-]{1,256}$/
const SECONDS = /^[1-9][0-9]{0,10}$/
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/
/** Of other versions, which are passed over. */
const OTHER_SIGNATURE = /^v[0-9a-z]{1,8},[A-Za-z0-9+/=_-]{1,512}$/
const MOST_SIGNATURES = 10
const MOST_SIGNATURE_CHARS = 4000
const LEAST_KEY_BYTES = 16

export const isMessageId = (id: string): boolean => ID.test(id)

/** `v1,` and the HMAC-SHA256 of what is sent. */
export function signatureOf(secret: string, { id, timestamp, body }: Message): string {
  const key = keyOfSecret(secret)
  if (key === undefined) throw new Error('a secret of Standard Webhooks is whsec_ and base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** The headers of a request; signed with every secret that counts, so that the other side may know either. */
export function signedHeaders(
  secrets: readonly string[],
  message: Omit<Message, 'timestamp'> & { readonly now: number },
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(message.now / 1000)
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, { ...message, timestamp })).join(' '),
  }
}

/** What anybody hears who cannot sign, whether there is something to sign for or not. */
export const notSigned = (): Problem =>
  new Problem('KEY_INVALID', 'This is not signed as it should be, or not any more.')

/** Whether somebody who has one of the secrets sent exactly this, about now. Replays are refused by those who store. */
export function verifySigned(
  request: SignedRequest,
  secrets: readonly string[],
  when: { readonly now: number; readonly toleranceMs: number },
): SignedVerdict {
  const read = readSigned(request, when)
  if (!read.isValid) return read
  const { id, seconds, signatures } = read
  const { body } = request
  const given = signatures.filter((one) => SIGNATURE.test(one)).map((one) => Buffer.from(one))
  const wanted = secrets
    .filter((secret) => keyOfSecret(secret) !== undefined)
    .map((secret) => Buffer.from(signatureOf(secret, { id, timestamp: seconds, body })))
  // All are compared, so that the time says nothing of which one fits.
  const fitting = wanted.flatMap((one) => given.filter((other) => timingSafeEqual(one, other)))
  return fitting.length > 0 ? { isValid: true, id } : invalid('wrong')
}

interface Read {
  readonly isValid: true
  readonly id: string
  readonly seconds: number
  readonly signatures: readonly string[]
}

/** What can be told without any secret: whether it is signed at all, in the right form and about now. */
export function readSigned(
  { id, timestamp, signature }: SignedRequest,
  { now, toleranceMs }: { readonly now: number; readonly toleranceMs: number },
): Read | (SignedVerdict & { readonly isValid: false }) {
  if (!id || !timestamp || !signature) return invalid('missing')
  if (!ID.test(id) || !SECONDS.test(timestamp) || signature.length > MOST_SIGNATURE_CHARS) return invalid('malformed')
  const signatures = signature.split(' ')
  if (signatures.length > MOST_SIGNATURES || !signatures.every(isSignature)) return invalid('malformed')
  const seconds = Number(timestamp)
  if (seconds * 1000 < now - toleranceMs) return invalid('old')
  if (seconds * 1000 > now + toleranceMs) return invalid('early')
  return { isValid: true, id, seconds, signatures }
}

const isSignature = (one: string): boolean => SIGNATURE.test(one) || OTHER_SIGNATURE.test(one)

const invalid = (reason: SignatureFault) => ({ isValid: false, reason }) as const

function keyOfSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return key.length >= LEAST_KEY_BYTES ? key : undefined
}
