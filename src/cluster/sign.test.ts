import { describe, expect, test } from 'vitest'
import { secretHash, SIGNED_FOR_MS, signedBy, signedHeaders, type SignedRequest } from './sign.ts'

const SECRET = '0123456789abcdef'
const NOW = 1_700_000_000_000
const request: SignedRequest = { method: 'POST', path: '/internal/wake?x=1', body: '{"sessions":[]}' }
const headers = signedHeaders(SECRET, 'node-1', NOW, request)

function check(more: {
  secret?: string
  now?: number
  request?: Partial<SignedRequest>
  headers?: Record<string, string | undefined>
}) {
  const all: Record<string, string | undefined> = { ...headers, ...more.headers }
  return signedBy(more.secret ?? SECRET, more.now ?? NOW, (name) => all[name], { ...request, ...more.request })
}

describe('a signed request', () => {
  test('says which node asks', () => {
    expect(check({})).toBe('node-1')
  })

  test.each([
    ['another secret', { secret: 'fedcba9876543210' }],
    ['another method', { request: { method: 'GET' } }],
    ['another path', { request: { path: '/internal/follow?x=1' } }],
    ['another query', { request: { path: '/internal/wake?x=2' } }],
    ['another body', { request: { body: '{"sessions":["s"]}' } }],
    ['another node', { headers: { 'segno-node': 'node-2' } }],
    ['another time', { headers: { 'segno-time': String(NOW + 1) } }],
    ['no signature', { headers: { 'segno-signature': undefined } }],
    ['half a signature', { headers: { 'segno-signature': headers['segno-signature']?.slice(0, 32) } }],
    ['no node', { headers: { 'segno-node': undefined } }],
    ['no time', { headers: { 'segno-time': undefined } }],
    ['a time that is none', { headers: { 'segno-time': 'Infinity' } }],
    ['a node that is none', { headers: { 'segno-node': 'a\nb' } }],
  ])('with %s is nobody’s', (_, wrong) => {
    expect(check(wrong)).toBeUndefined()
  })

  test('is good for half a minute by the clock of the database, in both directions', () => {
    expect(check({ now: NOW + SIGNED_FOR_MS })).toBe('node-1')
    expect(check({ now: NOW - SIGNED_FOR_MS })).toBe('node-1')
    expect(check({ now: NOW + SIGNED_FOR_MS + 1 })).toBeUndefined()
    expect(check({ now: NOW - SIGNED_FOR_MS - 1 })).toBeUndefined()
  })
})

test('what the database is shown of the secret is no signature', () => {
  expect(secretHash(SECRET)).not.toContain(SECRET)
  expect(secretHash(SECRET)).not.toBe(secretHash(`${SECRET}0`))
})
