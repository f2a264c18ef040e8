import { signatureOf, type SignedRequest } from '../../../src/workflow/standard-webhooks.ts'
import type { Chances } from './chances.ts'
import { FORGED_BODIES, FORGED_IDS, FORGED_TIMES } from './forged-parts.ts'
import { FORGED_SIGNATURES, MISSPELLED, OTHER_VERSIONS, SEVERAL_SIGNATURES } from './forged-signatures.ts'
import { asSent, type Real } from './real-requests.ts'

/** What is changed of a real request, so that nobody who has a secret meant it. */
export type Forgery = (real: Real, known: Known) => Partial<SignedRequest>

/** What a forger may know and have. */
export interface Known {
  readonly any: Chances
  /** in seconds */
  readonly now: number
  /** another real request, which was sent before */
  readonly other: Real
  /** a secret of somebody else */
  readonly foreign: string
  /** a secret that was replaced twice */
  readonly former: string
}

/** What is signed has no marks but full stops, so its parts could be taken for others. */
const MOVED: Readonly<Record<string, Forgery>> = {
  'the time as the end of the id, the beginning of the body as the time': (
    { id, seconds, body, secret },
    { any, now },
  ) => {
    const later = now - 100 + any.below(200)
    const signature = signatureOf(secret, { id, timestamp: seconds, body: `${later}.${body}` })
    return { id: `${id}.${seconds}`, timestamp: String(later), signature }
  },
  'an id with a full stop, from somebody who has the secret': ({ id, seconds, body, secret }, { any, now }) => {
    const stopped = `${id}.${any.one([String(now), 'x', ''])}`
    return { id: stopped, signature: signatureOf(secret, { id: stopped, timestamp: seconds, body }) }
  },
  'the first digits of the time as the end of the id': ({ id, seconds }, { any }) => {
    const at = 1 + any.below(9)
    const [head, rest] = [String(seconds).slice(0, at), String(seconds).slice(at)]
    return { id: id + any.one(['', '.', '-']) + head, timestamp: rest }
  },
  'the last digits of the time before the body': ({ seconds, body }, { any }) => {
    const at = 1 + any.below(9)
    const [head, rest] = [String(seconds).slice(0, at), String(seconds).slice(at)]
    return { timestamp: head, body: Buffer.from(rest + any.one(['', '.']) + body) }
  },
  'the beginning of the body after the time': ({ seconds, body }, { any }) => {
    const at = 1 + any.below(3)
    return { timestamp: `${seconds}${any.one(['', '.'])}${body.slice(0, at)}`, body: Buffer.from(body.slice(at)) }
  },
  'an id with the time and the body in it': ({ id, seconds, body }, { any }) => ({
    id: any.one([`${id}.${seconds}.${body}`, `${id}.${seconds}`, `${id}.`, `.${id}`, '.']),
    ...any.one([{}, { body: new Uint8Array() }]),
  }),
}

export const FORGERIES: ReadonlyMap<string, Forgery> = new Map(
  [
    FORGED_IDS,
    FORGED_TIMES,
    FORGED_BODIES,
    FORGED_SIGNATURES,
    MISSPELLED,
    OTHER_VERSIONS,
    SEVERAL_SIGNATURES,
    MOVED,
  ].flatMap((some) => Object.entries(some)),
)

/** One of its kind, or undefined if it comes out as the real one. */
export function forge(forgery: Forgery, real: Real, known: Known): SignedRequest | undefined {
  const sent = asSent(real)
  const forged = { ...sent, ...forgery(real, known) }
  const isSame =
    forged.id === sent.id &&
    forged.timestamp === sent.timestamp &&
    forged.signature === sent.signature &&
    Buffer.compare(forged.body, sent.body) === 0
  return isSame ? undefined : forged
}
