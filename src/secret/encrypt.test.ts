import { expect, test } from 'vitest'
import { encrypt, decrypt } from './encrypt.ts'
import { newSecretKey, parseKeys, writeKeys } from './secret-key.ts'

const PLACE = { tenant: 'acme', name: 'token' }
const key = newSecretKey()

test.each(['', 'sk-1', 'Ünïcode 🌍\n', 'x'.repeat(10_000)])('what is encrypted can be opened again: %j', (text) => {
  expect(decrypt(key, encrypt(key, PLACE, text, 7))).toBe(text)
})

test('a encrypted secret names its key, and shows nothing of the text', () => {
  const encrypted = encrypt(key, PLACE, 'sk-visible', 7)
  expect(encrypted).toMatchObject({ ...PLACE, keyId: key.id, updatedAt: 7 })
  expect(Buffer.from(encrypted.encrypted, 'base64').toString('latin1')).not.toContain('visible')
})

test('the same text is never encrypted the same twice', () => {
  const all = Array.from({ length: 1000 }, () => encrypt(key, PLACE, 'same', 7).encrypted.slice(0, 16))
  expect(new Set(all).size).toBe(1000)
})

test.each([
  ['another tenant', { tenant: 'b' }],
  ['another name', { name: 'other' }],
  ['a tenant and name that read the same together', { tenant: 'acmet', name: 'oken' }],
  ['no bytes', { encrypted: '' }],
  ['too few bytes', { encrypted: 'AAAA' }],
])('it cannot be opened with %s', (_, change) => {
  expect(decrypt(key, { ...encrypt(key, PLACE, 'text', 7), ...change })).toBeUndefined()
})

test('it cannot be opened with another key', () => {
  expect(decrypt(newSecretKey(), encrypt(key, PLACE, 'text', 7))).toBeUndefined()
})

test('it cannot be opened when any byte of it was changed', () => {
  const encrypted = encrypt(key, PLACE, 'text', 7)
  const bytes = Buffer.from(encrypted.encrypted, 'base64')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(decrypt(key, { ...encrypted, encrypted: changed.toString('base64') })).toBeUndefined()
  }
})

test('keys are read as they were written, and keep their ids', () => {
  const keys = [newSecretKey(), newSecretKey()]
  expect(parseKeys(writeKeys(keys))).toEqual(keys)
  expect(keys[0]?.id).toMatch(/^[0-9a-f]{16}$/)
})

test.each(['', '# nothing', 'short', 'a'.repeat(44), `${key.bytes.toString('base64')}\nrubbish`])(
  'anything else is no key file: %j',
  (text) => {
    expect(parseKeys(text)).toBeUndefined()
  },
)
