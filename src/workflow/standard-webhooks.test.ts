import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import { newSigningSecret } from './signing-secrets.ts'
import { signatureOf, signedHeaders, verifySigned, type SignedRequest } from './standard-webhooks.ts'

const NOW = 1_790_000_000_000
const TOLERANCE = 300_000
const SECONDS = NOW / 1000
const BODY = '{"status":"success","output":{"total":12,"name":"Zoë 🜁"}}'
const [CURRENT, BEFORE, FOREIGN] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]

const verify = (request: SignedRequest, secrets: readonly string[] = [CURRENT], now = NOW) =>
  verifySigned(request, secrets, { now, toleranceMs: TOLERANCE })

const good = (changed: Partial<SignedRequest> = {}): SignedRequest => ({
  id: 'msg_1',
  timestamp: String(SECONDS),
  signature: signatureOf(CURRENT, { id: 'msg_1', timestamp: SECONDS, body: BODY }),
  body: Buffer.from(BODY),
  ...changed,
})

verifies('GOV-15', 'what the standardwebhooks package signs is accepted, and the other way round', () => {
  // The package knows no other clock than the system's.
  const now = Date.now()
  const at = new Date(now)
  const signature = new Webhook(CURRENT).sign('msg_1', at, BODY)
  const timestamp = String(Math.floor(now / 1000))
  expect(verify(good({ timestamp, signature }), [CURRENT], now)).toEqual({ isValid: true, id: 'msg_1' })
  const headers = signedHeaders([CURRENT], { id: 'msg_1', body: BODY, now })
  expect(headers['webhook-signature']).toBe(signature)
  expect(new Webhook(CURRENT).verify(BODY, headers)).toEqual(JSON.parse(BODY))
})

verifies('GOV-15', 'while a secret is replaced both count, in both directions, and afterwards only the new one', () => {
  const now = Date.now()
  const during = signedHeaders([CURRENT, BEFORE], { id: 'msg_2', body: BODY, now })
  for (const secret of [CURRENT, BEFORE]) {
    expect(new Webhook(secret).verify(BODY, during)).toEqual(JSON.parse(BODY))
    const signature = new Webhook(secret).sign('msg_2', new Date(now), BODY)
    const request = good({ id: 'msg_2', timestamp: String(Math.floor(now / 1000)), signature })
    expect(verify(request, [CURRENT, BEFORE], now).isValid).toBe(true)
    expect(verify(request, [CURRENT], now).isValid).toBe(secret === CURRENT)
  }
  expect(() => new Webhook(FOREIGN).verify(BODY, during)).toThrow('No matching signature')
})

test('bytes that are no text are signed as they are', () => {
  const body = randomBytes(500)
  const signature = signatureOf(CURRENT, { id: 'msg_1', timestamp: SECONDS, body })
  expect(verify(good({ body, signature })).isValid).toBe(true)
  expect(verify(good({ body: Buffer.from(body.toString()), signature })).isValid).toBe(false)
})

test('a request may be as old or as early as the tolerance, and no second more', () => {
  const at = (seconds: number) => {
    const signature = signatureOf(CURRENT, { id: 'msg_1', timestamp: seconds, body: BODY })
    return verify(good({ timestamp: String(seconds), signature }))
  }
  expect([at(SECONDS - 300).isValid, at(SECONDS + 300).isValid]).toEqual([true, true])
  expect(at(SECONDS - 301)).toEqual({ isValid: false, reason: 'old' })
  expect(at(SECONDS + 301)).toEqual({ isValid: false, reason: 'early' })
})

test('one valid signature among others is enough, of ten at most', () => {
  const { signature = '' } = good()
  const other = signatureOf(FOREIGN, { id: 'msg_1', timestamp: SECONDS, body: BODY })
  expect(verify(good({ signature: `v1a,${'A'.repeat(86)}== ${other} ${signature}` })).isValid).toBe(true)
  const many = [...Array.from({ length: 10 }, () => other), signature].join(' ')
  expect(verify(good({ signature: many }))).toEqual({ isValid: false, reason: 'malformed' })
})

describe('says what is wrong', () => {
  test.each<[string, Partial<SignedRequest>]>([
    ['missing', { id: undefined }],
    ['missing', { timestamp: '' }],
    ['missing', { signature: undefined }],
    ['malformed', { id: 'msg.1' }],
    ['malformed', { id: 'm'.repeat(257) }],
    ['malformed', { timestamp: '１７９００００００' }],
    ['malformed', { timestamp: `${SECONDS}.0` }],
    ['malformed', { timestamp: '1e9' }],
    ['malformed', { signature: 'v1' }],
    ['malformed', { signature: 'v1,' }],
    ['malformed', { signature: `${good().signature} ` }],
    ['wrong', { signature: `v1a,${good().signature?.slice(3)}` }],
    ['wrong', { id: 'msg_2' }],
    ['wrong', { body: Buffer.from(`${BODY} `) }],
  ])('%s: %j', (reason, changed) => {
    expect(verify(good(changed))).toEqual({ isValid: false, reason })
  })
})

test('without a secret, or with one that is none, nothing is valid', () => {
  const empty = (key: string) => [`whsec_${Buffer.from(key).toString('base64')}`, key, '']
  for (const secrets of [[], empty(''), empty('short')]) expect(verify(good(), secrets).isValid).toBe(false)
  expect(() => signatureOf('whsec_', { id: 'msg_1', timestamp: SECONDS, body: BODY })).toThrow('whsec_ and base64')
})

test('the end of an id cannot be read as a time, nor the beginning of a body', () => {
  const signature = signatureOf(CURRENT, { id: 'msg_1', timestamp: SECONDS, body: `${SECONDS + 1}.{"a":1}` })
  const moved = { id: `msg_1.${SECONDS}`, timestamp: String(SECONDS + 1), signature, body: Buffer.from('{"a":1}') }
  expect(verify(moved)).toEqual({ isValid: false, reason: 'malformed' })
})
