import { createHash, createHmac } from 'node:crypto'
import { signatureOf } from '../../../src/workflow/standard-webhooks.ts'
import type { Forgery } from './forgeries.ts'
import type { Real } from './real-requests.ts'
import { cut, flip, lookalike, otherCase, UNSEEN, within } from './spoil.ts'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const bytesOf = (signature: string): Buffer => Buffer.from(signature.slice('v1,'.length), 'base64')
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64')
const signed = (secret: string, { id, seconds, body }: Real): string =>
  signatureOf(secret, { id, timestamp: seconds, body })
const mac = (key: string | Buffer, text: string, how = 'sha256'): string =>
  `v1,${createHmac(how, key).update(text).digest('base64')}`

export const FORGED_SIGNATURES: Readonly<Record<string, Forgery>> = {
  'a signature with a flipped bit': ({ signature }, { any }) => ({ signature: flip(any, signature) }),
  'a signature that is cut': ({ signature }, { any }) => ({ signature: cut(any, signature) }),
  'a signature of which one bit is wrong': ({ signature }, { any }) => {
    const bytes = bytesOf(signature)
    const at = any.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << any.below(8))
    return { signature: `v1,${bytes.toString('base64')}` }
  },
  'the signature of another message': (_, { other }) => ({ signature: other.signature }),
  'no signature': (_, { any }) => ({ signature: any.one([undefined, '', 'v1', 'v1,', ',', 'null', 'v1,null']) }),
  'the secret of somebody else': (real, { foreign }) => ({ signature: signed(foreign, real) }),
  'a secret that counts no more': (real, { former }) => ({ signature: signed(former, real) }),
  'a secret that is almost right': (real, { any }) => {
    const key = keyOf(real.secret)
    const at = any.below(key.length)
    key[at] = (key[at] ?? 0) ^ (1 << any.below(8))
    return { signature: signed(`whsec_${key.toString('base64')}`, real) }
  },
  'a secret that is not decoded': ({ id, seconds, body, secret }, { any }) => ({
    signature: mac(any.one([secret, secret.slice('whsec_'.length), '']), `${id}.${seconds}.${body}`),
  }),
  'not all that is signed': ({ id, seconds, body, secret }, { any }) => ({
    signature: mac(
      keyOf(secret),
      any.one([body, `${seconds}.${body}`, `${id}.${body}`, `${id}.${seconds}.`, `${id}.${seconds}`, '']),
    ),
  }),
  'joined otherwise': ({ id, seconds, body, secret }, { any }) => ({
    signature: mac(
      keyOf(secret),
      any.one([
        `${id}${seconds}${body}`,
        `${id}:${seconds}:${body}`,
        `${seconds}.${id}.${body}`,
        `${id}.${seconds}.${body}\n`,
        `${id}.${seconds}000.${body}`,
        `v1.${id}.${seconds}.${body}`,
      ]),
    ),
  }),
  'another algorithm': ({ id, seconds, body, secret }, { any }) => {
    const text = `${id}.${seconds}.${body}`
    const plain = createHash('sha256').update(keyOf(secret)).update(text).digest('base64')
    const others = ['sha1', 'sha384', 'sha512', 'sha3-256'] as const
    return { signature: any.one([mac(keyOf(secret), text, any.one(others)), `v1,${plain}`]) }
  },
}

/** The right bytes, written otherwise. */
export const MISSPELLED: Readonly<Record<string, Forgery>> = {
  'without its padding': ({ signature }) => ({ signature: signature.slice(0, -1) }),
  'with more padding': ({ signature }, { any }) => ({ signature: signature + '='.repeat(1 + any.below(3)) }),
  'with bits at its end that no byte has': ({ signature }, { any }) => {
    const at = BASE64.indexOf(signature.at(-2) ?? '')
    return { signature: `${signature.slice(0, -2)}${BASE64[at + 1 + any.below(3)]}=` }
  },
  'for addresses': ({ signature }) => ({ signature: `v1,${bytesOf(signature).toString('base64url')}=` }),
  'for addresses without padding': ({ signature }) => ({ signature: `v1,${bytesOf(signature).toString('base64url')}` }),
  'with something unseen in it': ({ signature }, { any }) => ({ signature: within(any, signature, any.one(UNSEEN)) }),
  'with letters that look the same': ({ signature }, { any }) => ({ signature: lookalike(any, signature) }),
  'in other cases': ({ signature }, { any }) => ({ signature: otherCase(any, signature) }),
  'in hexadecimal digits': ({ signature }, { any }) => ({
    signature: any.one(['v1,', 'v1,0x', 'sha256=', '']) + bytesOf(signature).toString('hex'),
  }),
  'in percent signs': ({ signature }) => ({ signature: encodeURIComponent(signature) }),
  'in base64 twice': ({ signature }) => ({
    signature: `v1,${Buffer.from(signature.slice('v1,'.length)).toString('base64')}`,
  }),
  'in base64 of hexadecimal digits': ({ signature }) => ({
    signature: `v1,${Buffer.from(bytesOf(signature).toString('hex')).toString('base64')}`,
  }),
  'in quotation marks': ({ signature }, { any }) => ({
    signature: any.one([`"${signature}"`, `v1,"${signature.slice(3)}"`]),
  }),
}

export const OTHER_VERSIONS: Readonly<Record<string, Forgery>> = {
  'of another version': ({ signature }, { any }) => {
    const versions = ['v0', 'v2', 'v1a', 'v11', 'v10', 'v01', 'V1', 'v', '1', '', 'v1.0', ' v1', 'v1 ', 'ｖ1'] as const
    return { signature: signature.replace('v1', any.one(versions)) }
  },
  'after another sign': ({ signature }, { any }) => ({
    signature: signature.replace(',', any.one(['=', ':', ';', '.', ' ', ', ', ',,', '', ',v1,', '，'])),
  }),
}

export const SEVERAL_SIGNATURES: Readonly<Record<string, Forgery>> = {
  'several of which none is right': (real, { any, foreign, former, other }) => ({
    signature: Array.from({ length: 2 + any.below(9) }, () =>
      any.one([signed(foreign, real), signed(former, real), other.signature, `v1a,${'A'.repeat(86)}==`]),
    ).join(' '),
  }),
  'a right one among more than may be': (real, { any, foreign }) => {
    const many = Array.from({ length: 10 + any.below(60) }, () => signed(foreign, real))
    return { signature: many.toSpliced(any.below(many.length), 0, real.signature).join(' ') }
  },
  'a right one that is not apart': (real, { any, foreign }) => ({
    signature: [real.signature, signed(foreign, real)].join(any.one([',', ', ', ';', '\t', '\n', '\u00a0', '|', ''])),
  }),
}
