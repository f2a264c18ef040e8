import { describe, expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

const KEY = 'sk-ant-0123456789'

describe('a redactor', () => {
  test('takes every secret out, wherever it stands and however often', () => {
    const redact = createRedactor([KEY, 'another-secret'])
    expect(redact(`a ${KEY} b${KEY}\n{"k":"another-secret"}`)).toBe('a [REDACTED] b[REDACTED]\n{"k":"[REDACTED]"}')
    expect(redact('nothing here')).toBe('nothing here')
  })

  test('takes letters for what they are', () => {
    const secret = String.raw`a.b*c+(d)[e]{f}|g^h$i?\j/k-l`
    expect(createRedactor([secret])(`<${secret}>`)).toBe('<[REDACTED]>')
    expect(createRedactor(['a.b*c+d?'])('aXbbbcd')).toBe('aXbbbcd')
    expect(createRedactor(['$&$&$&$&'])('x$&$&$&$&x')).toBe('x[REDACTED]x')
  })

  test('leaves nothing of the longer of two that begin alike', () => {
    for (const secrets of [
      ['secret-12', 'secret-12-and-more'],
      ['secret-12-and-more', 'secret-12'],
    ])
      expect(createRedactor(secrets)('secret-12-and-more secret-12')).toBe('[REDACTED] [REDACTED]')
  })

  test('does not look for what is missing, empty or too short to be one', () => {
    expect(createRedactor([undefined, '', 'local', '1234567'])('local 1234567')).toBe('local 1234567')
    expect(createRedactor([])('x')).toBe('x')
    expect(createRedactor(['12345678'])('12345678')).toBe('[REDACTED]')
  })

  test('knows how much of an end may become a secret', () => {
    const { begun } = createRedactor([KEY, 'xyzxyzxyz'])
    expect(begun(`a ${KEY.slice(0, 5)}`)).toBe(5)
    expect(begun(KEY.slice(0, -1))).toBe(KEY.length - 1)
    expect(begun(KEY)).toBe(0)
    expect(begun('wx')).toBe(1)
    expect(begun('xyzxyzxy')).toBe(8)
    expect(begun('')).toBe(0)
    expect(createRedactor([]).begun('x')).toBe(0)
  })
})
