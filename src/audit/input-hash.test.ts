import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import type { Json } from '../contract/message.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { inputHash, redact } from './input-hash.ts'

const R = '[REDACTED]'
const parse = (text: string): Json => JSON.parse(text) as Json

verifies('GOV-30', 'the hash of the Kigali example starts with 0f07ad88', () => {
  const kigali = { query: 'weather in Kigali', userEmail: 'user@example.com', count: 5 }
  expect(inputHash(kigali)).toMatch(/^0f07ad88[0-9a-f]{56}$/)
})

describe('a field is personal by the last word of its name', () => {
  const personal = [
    'password',
    'userPassword',
    'PASSWORD',
    'passwords',
    'client_secret',
    'clientSecrets',
    'credential',
    'aws-credentials',
    'email',
    'userEmail',
    'userEmails',
    'user.email',
    'user email',
    'e_email_',
    'phone',
    'homePhone',
    'phones',
    'address',
    'addresses',
    'homeAddress',
    'HTTPAddress',
    'postal_addresses',
    'ssn',
    'userSSN',
    'SSNs',
    'card',
    'creditCards',
    'key',
    'API_KEY',
    'apiKey',
    'apiKeys',
    'APIKeys',
    'privateKey',
    'clientIpAddress',
    'foreignKey',
    'oauth2Key',
  ]
  for (const name of personal) {
    verifies('GOV-30', `${name} is`, () => {
      expect(redact({ [name]: 'x', other: 'x' })).toEqual({ [name]: R, other: 'x' })
    })
  }

  const harmless = [
    'ipAddress',
    'ip_address',
    'IPAddress',
    'macAddress',
    'publicKey',
    'publicKeys',
    'primaryKey',
    'sortKey',
    'cacheKey',
    'cache_key',
    'idempotencyKey',
    'Idempotency-Key',
    'card_number',
    'phone.home',
    'emailSubject',
    'addressBook',
    'keyboard',
    'monkey',
    'apikey',
    'cardinal',
    'discard',
    'passwordless',
    'keyes',
    'addres',
    'email2',
    'query',
    '',
    '_',
    'е-mail',
  ]
  for (const name of harmless) {
    verifies('GOV-30', `${JSON.stringify(name)} is not`, () => {
      expect(redact({ [name]: 'x' })).toEqual({ [name]: 'x' })
    })
  }
})

describe('whatever the value is', () => {
  for (const value of ['x', '', 5, 0, true, null, [], ['a', 'b'], {}, { street: 'Long Street', zip: 8001 }]) {
    verifies('GOV-30', `an address of ${JSON.stringify(value)} is replaced`, () => {
      expect(redact({ address: value })).toEqual({ address: R })
    })
  }

  verifies('GOV-30', 'a token is replaced only where it is a text', () => {
    expect(redact({ token: 'abc', accessTokens: 'abc', token_: '' })).toEqual({ token: R, accessTokens: R, token_: R })
    const counts = { tokens: 5, maxTokens: 100, token: null, tokenLimit: 'x', inputTokens: [1, 2] }
    expect(redact(counts)).toEqual(counts)
  })
})

describe('wherever it stands', () => {
  verifies('GOV-30', 'inside objects, inside arrays, and inside arrays of arrays', () => {
    const nested = { a: [{ email: 'x' }, [{ b: { email: 'x', c: 1 } }]], d: { e: { phone: 1 } } }
    expect(redact(nested)).toEqual({ a: [{ email: R }, [{ b: { email: R, c: 1 } }]], d: { e: { phone: R } } })
  })

  verifies('GOV-30', 'in a list at the top, where nothing has a name', () => {
    expect(redact(['email', { email: 'x' }, 3])).toEqual(['email', { email: R }, 3])
  })

  test.each<Json>(['email', '', 5, false, null])('a value without fields (%j) is what it was', (value) => {
    expect(redact(value)).toBe(value)
  })

  test('under a field called __proto__, which stays a field', () => {
    const redacted = redact(parse('{"__proto__":{"email":"x","a":1},"constructor":{"key":"x"}}'))
    expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"email":"${R}","a":1},"constructor":{"key":"${R}"}}`)
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype)
  })

  test('a hundred thousand levels deep', () => {
    const deep = parse(`${'{"a":['.repeat(50_000)}{"email":"x"}${']}'.repeat(50_000)}`)
    expect(inputHash(deep)).not.toBe(inputHash(parse('{"a":[]}')))
  })
})

describe('the hash', () => {
  test('is the SHA-256 of the canonical JSON where nothing is personal', () => {
    const value = { b: [1, 'ü', null], a: { d: false, c: 1e21 } }
    expect(inputHash(value)).toBe(sha256(canonicalJson(value)))
    expect(inputHash(value)).toBe(sha256('{"a":{"c":1e+21,"d":false},"b":[1,"ü",null]}'))
  })

  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json)

  verifies('GOV-30', 'does not depend on what personal fields hold', () => {
    fc.assert(
      fc.property(json, json, json, (rest, one, other) => {
        expect(inputHash({ rest, email: one, list: [{ apiKey: other }] })).toBe(
          inputHash({ rest, email: other, list: [{ apiKey: one }] }),
        )
      }),
    )
  })

  test('depends on everything else', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const same = canonicalJson(redact(one)) === canonicalJson(redact(other))
        expect(inputHash({ query: one }) === inputHash({ query: other })).toBe(same)
      }),
    )
  })

  test('leaves what it was given as it was', () => {
    fc.assert(
      fc.property(json, (value) => {
        const given = { email: value, list: [value] }
        const before = JSON.stringify(given)
        inputHash(given)
        expect(JSON.stringify(given)).toBe(before)
      }),
    )
  })
})
