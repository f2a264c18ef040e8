import { assert, constantFrom, property, string, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../tests/support/linear.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { createRedactor } from './redactor.ts'

const KEY = 'sk-ant-api03-?ü/+zanzibar=='
const redact = createRedactor([KEY])

const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify(text),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'in an address': encodeURIComponent,
  'in an address, in small letters': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'in a form': (text) => new URLSearchParams({ key: text }).toString(),
  'with every character as %XX': (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
}

describe('a secret is taken out', () => {
  for (const [way, encode] of Object.entries(WAYS))
    verifies('ORC-9', `${way}, whatever stands around it`, () => {
      for (const before of ['', 'a', 'ab', 'abc', 'user:', 'https://x:'])
        for (const after of ['', 'z', 'zy', 'zyx', '@host/path']) {
          const written = encode(before + KEY + after)
          const left = redact(`<${written}>`)
          expect(left, written).toContain('[REDACTED]')
          // What is left around it is what was written around it, and at most a character that holds bits of both.
          expect(left.length - '<[REDACTED]>'.length).toBeLessThanOrEqual(
            2 + encode(before).length + encode(after).length + 4,
          )
        }
    })

  test('in base64 among any bytes', () => {
    const encodings = constantFrom('base64' as const, 'base64url' as const)
    assert(
      property(uint8Array(), uint8Array(), encodings, (before, after, encoding) => {
        const written = Buffer.concat([before, Buffer.from(KEY), after]).toString(encoding)
        expect(redact(written)).toContain('[REDACTED]')
      }),
    )
  })

  test('in any mixture of characters and %XX', () => {
    assert(
      property(string({ minLength: 40, maxLength: 40 }), (choices) => {
        const mixed = Array.from(KEY, (one, at) =>
          choices.charCodeAt(at) % 2 === 0 || one === '%' ? WAYS['with every character as %XX']?.(one) : one,
        ).join('')
        expect(redact(`x${mixed}x`)).toBe('x[REDACTED]x')
      }),
    )
  })
})

test('what is no secret stays, encoded or not', () => {
  for (const text of [
    'https://example.org/a%20b?c=%2F',
    Buffer.from('hello world').toString('base64'),
    '%',
    '%zz',
    '100 %',
  ])
    expect(redact(text)).toBe(text)
})

test('a text in pieces never shows the beginning of a secret that is still to come', () => {
  for (const encode of Object.values(WAYS)) {
    const written = `a ${encode(KEY)} b`
    for (let at = 0; at <= written.length; at++) {
      const first = written.slice(0, at)
      const held = redact.begun(first)
      // What is shown at once, and what is shown once the rest is there.
      const shown =
        redact(first.slice(0, first.length - held)) + redact(first.slice(first.length - held) + written.slice(at))
      expect(shown.length, `${written} cut at ${at}`).toBeLessThanOrEqual(redact(written).length + '[REDACTED]'.length)
      expect(shown).not.toContain('zanzibar')
    }
  }
})

test('time grows with the length and no faster, whatever stands there', () => {
  const nasty = createRedactor(['aaaaaaaaaaaaaaab', '%%%%%%%%%%%%%%%b', KEY, 'x'.repeat(500)])
  for (const piece of ['a', '%', '%61', '%25', 'YWFh', '61', 'x', 'sk-ant-api03-'])
    expectLinear(
      () => nasty(piece.repeat(20_000)),
      () => nasty(piece.repeat(80_000)),
    )
})
