import { describe, expect, test } from 'vitest'
import { redactOutput, redactText } from './redact-text.ts'
import { threadTime } from '../../tests/support/own-time.ts'

const R = '[REDACTED]'

describe('a text loses', () => {
  test.each([
    ['an e-mail address', 'write to ada.l+x@mail.example.org, now', `write to ${R}, now`],
    ['one with other letters', 'an jürgen@müller.de', `an ${R}`],
    ['a bearer token', 'Authorization: Bearer abc.DEF-123_~+/==', `Authorization: Bearer ${R}`],
    ['basic credentials', 'authorization: basic dXNlcjpwYXNzd29yZA==', `authorization: basic ${R}`],
    ['a JSON web token', 'it is eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl!', `it is ${R}!`],
    ['a provider key', 'sk-proj-abcdefghijklmnop1234', R],
    ['a GitHub token', 'use ghp_abcdefghijklmnop1234', `use ${R}`],
    ['an AWS key', 'AKIAABCDEFGHIJKLMNOP', R],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----\nrest`, `${R}\nrest`],
    ['a private key that was cut off', `x -----BEGIN PRIVATE KEY-----\nabc`, `x ${R}`],
    ['an assignment', 'DB_PASSWORD=hunter2 HOST=db', `DB_PASSWORD=${R} HOST=db`],
    ['a field of JSON that does not parse', '{"api_key": "abc def", "a": 1', `{"api_key": ${R}, "a": 1`],
    ['a password of digits', 'pin: password=1234', `pin: password=${R}`],
    ['a password in a URL', 'postgres://ada:hunter2@db/x', `postgres://ada:${R}@db/x`],
  ])('%s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test('nothing else', () => {
    const text = 'Basic research on tokens: 17 bearers of news met @noon, see https://example.org/a?b=c#d.'
    expect(redactText(text)).toBe(text)
  })
})

describe('an output', () => {
  test('that is JSON loses its personal fields, and what stands in its texts', () => {
    const output = JSON.stringify([{ id: 1, email: 'x', note: 'ask bob@example.com' }], null, 2)
    expect(JSON.parse(redactOutput(output))).toEqual([{ id: 1, email: R, note: `ask ${R}` }])
  })

  test('that hides a field behind another of the same name does not show it', () => {
    expect(redactOutput('{"a":{"password":"hunter2"},"a":1}')).toBe('{"a":1}')
  })

  test('that only looks like JSON is redacted as a text', () => {
    expect(redactOutput('[a@example.com] says hi')).toBe(`[${R}] says hi`)
  })

  test('of any depth is shown', () => {
    expect(redactOutput('['.repeat(200_000))).toHaveLength(200_000)
    expect(redactOutput(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toHaveLength(400_000)
  })

  test.each([
    ['letters', 'a'],
    ['dots', '.'],
    ['at signs', '@'],
    ['beginnings of addresses', 'a@b.'],
    ['beginnings of keys', 'eyJ'],
    ['assignments', 'token='],
    ['beginnings of private keys', '-----BEGIN PRIVATE KEY----'],
    ['beginnings of URLs', '://a:'],
    ['spaces after a name', 'password    '],
  ])('of a million %s is redacted in a moment', (_, piece) => {
    const output = piece.repeat(1_000_000 / piece.length)
    expect(threadTime(() => redactOutput(output))).toBeLessThan(3000)
  })
})
