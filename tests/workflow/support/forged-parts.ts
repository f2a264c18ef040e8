import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { signatureOf } from '../../../src/workflow/standard-webhooks.ts'
import type { Forgery } from './forgeries.ts'
import { cut, flip, lookalike, otherCase, UNSEEN, within } from './spoil.ts'

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export const FORGED_IDS: Readonly<Record<string, Forgery>> = {
  'an id with a flipped bit': ({ id }, { any }) => ({ id: flip(any, id) }),
  'an id that is cut': ({ id }, { any }) => ({ id: cut(any, id) }),
  'an id that goes on': ({ id }, { any }) => ({ id: `${id}${any.below(100)}` }),
  'the id of another message': (_, { other }) => ({ id: other.id }),
  'an id in other cases': ({ id }, { any }) => ({ id: otherCase(any, id) }),
  'an id that looks the same': ({ id }, { any }) => ({ id: lookalike(any, id) }),
  'an id with something unseen in it': ({ id }, { any }) => ({ id: within(any, id, any.one(UNSEEN)) }),
  'an id sent twice': ({ id }) => ({ id: `${id}, ${id}` }),
  'no id': (_, { any }) => ({ id: any.one([undefined, '']) }),
}

export const FORGED_TIMES: Readonly<Record<string, Forgery>> = {
  'a time with a flipped bit': ({ seconds }, { any }) => ({ timestamp: flip(any, String(seconds)) }),
  'a time that is cut': ({ seconds }, { any }) => ({ timestamp: cut(any, String(seconds)) }),
  'another time': ({ seconds }, { any }) => ({ timestamp: String(seconds + any.one([-1, 1]) * (1 + any.below(300))) }),
  'an old message as if it were new': ({ id, body, secret }, { any, now }) => {
    const then = now - 301 - any.below(1e6)
    return { timestamp: String(now), signature: signatureOf(secret, { id, timestamp: then, body }) }
  },
  'an old message': ({ id, body, secret }, { any, now }) => {
    const timestamp = now - 301 - any.below(any.one([5, 1e6, now - 400]))
    return { timestamp: String(timestamp), signature: signatureOf(secret, { id, timestamp, body }) }
  },
  'an early message': ({ id, body, secret }, { any, now }) => {
    const timestamp = now + 301 + any.below(any.one([5, 1e6, 9e10]))
    return { timestamp: String(timestamp), signature: signatureOf(secret, { id, timestamp, body }) }
  },
  'a time in milliseconds': ({ seconds }) => ({ timestamp: `${seconds}000` }),
  'a time written otherwise': ({ seconds }, { any }) => {
    const asDate = new Date(seconds * 1000).toISOString()
    const asNumber = [`+${seconds}`, `0${seconds}`, `${seconds}.0`, `${seconds}e0`, `${seconds / 1e9}e9`, `${seconds}n`]
    const others = [`0x${seconds.toString(16)}`, `-${seconds}`, 'NaN', 'Infinity', `${seconds}, ${seconds}`]
    return { timestamp: any.one([asDate, ...asNumber, ...others]) }
  },
  'a time in other digits': ({ seconds }, { any }) => ({ timestamp: lookalike(any, String(seconds)) }),
  'a time with something unseen in it': ({ seconds }, { any }) => ({
    timestamp: within(any, String(seconds), any.one(UNSEEN)),
  }),
  'no time': (_, { any }) => ({ timestamp: any.one([undefined, '', '0']) }),
}

export const FORGED_BODIES: Readonly<Record<string, Forgery>> = {
  'a body with a flipped bit': ({ body }, { any }) => {
    const bytes = Buffer.from(body)
    const at = any.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << any.below(8))
    return { body: bytes }
  },
  'a body that is cut': ({ body }, { any }) => ({ body: Buffer.from(body).subarray(0, any.below(body.length)) }),
  'a body that goes on': ({ body }, { any }) => ({ body: Buffer.from(body + any.one([...UNSEEN, body])) }),
  'a body that begins before': ({ body }, { any }) => ({ body: Buffer.from(any.one(UNSEEN) + body) }),
  'the body of another message': (_, { other }) => ({ body: Buffer.from(other.body) }),
  'another body': (_, { any }) => ({
    body: Buffer.from(JSON.stringify({ status: any.one(['success', 'failure']), output: any.below(1e9) })),
  }),
  'the same JSON in other bytes': ({ body }, { any }) => {
    const { status, output } = JSON.parse(body) as Record<string, unknown>
    const escaped = body.replace('success', String.raw`\u0073uccess`)
    const twice = body.replace('{', '{"status":"failure",')
    return {
      body: Buffer.from(any.one([JSON.stringify({ output, status }), pretty({ status, output }), escaped, twice])),
    }
  },
  'a body in another composition': ({ body }) => ({ body: Buffer.from(body.normalize('NFD')) }),
  'a body with a mark of its byte order': ({ body }) => ({ body: Buffer.from(`\ufeff${body}`) }),
  'a body in UTF-16': ({ body }, { any }) => {
    const little = Buffer.from(any.one(['', '\ufeff']) + body, 'utf16le')
    return { body: any.one([little, Buffer.from(little).swap16()]) }
  },
  'a body in Latin-1': ({ body }) => ({ body: Buffer.from(body, 'latin1') }),
  'a body with bytes that are no text': ({ body }, { any }) => {
    const broken = Buffer.from([any.one([0xff, 0xc0, 0xed, 0xf8])])
    const bytes = Buffer.from(body)
    const at = any.below(bytes.length)
    return { body: Buffer.concat([bytes.subarray(0, at), broken, bytes.subarray(at)]) }
  },
  'a broken letter in place of one that says so': ({ body }) => {
    const [before, ...after] = body.split('\ufffd')
    return {
      body: Buffer.concat([Buffer.from(before ?? ''), ...after.flatMap((one) => [Buffer.of(0xff), Buffer.from(one)])]),
    }
  },
  'a packed body': ({ body }, { any }) => ({
    body: any.one([gzipSync, deflateSync, (text: string) => brotliCompressSync(text, FAST)])(body),
  }),
  'a body in base64': ({ body }) => ({ body: Buffer.from(Buffer.from(body).toString('base64')) }),
  'a body as a text in JSON': ({ body }) => ({ body: Buffer.from(JSON.stringify(body)) }),
  'no body': () => ({ body: new Uint8Array() }),
}

const pretty = (value: object): string => JSON.stringify(value, null, 2)
