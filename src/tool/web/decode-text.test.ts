import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const latin1 = Buffer.from('caf\xe9', 'latin1')
const meta = (label: string, text: string): Buffer =>
  Buffer.from(`<html><head><meta charset="${label}"></head>${text}`, 'latin1')

test('believes a byte order mark before anything else', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('žluť', 'utf16le')])
  expect(decodeText(utf16, 'text/plain; charset=iso-8859-1')).toBe('žluť')
  expect(decodeText(Buffer.from('\uFEFFžluť'), 'text/plain; charset=iso-8859-1')).toBe('žluť')
})

test('believes the header, then the document', () => {
  expect(decodeText(latin1, 'text/plain; charset="ISO-8859-1"')).toBe('café')
  expect(decodeText(Buffer.from([0xd0, 0xd2]), 'text/html;charset=koi8-r')).toBe('пр')
  expect(decodeText(meta('windows-1251', '\xef\xf0'), 'text/html')).toContain('пр')
  expect(decodeText(meta('windows-1251', '\xef\xf0'), 'text/html; charset=iso-8859-1')).toContain('ïð')
  expect(decodeText(Buffer.from('<?xml version="1.0" encoding="shift_jis"?>\x83\x65', 'latin1'), 'text/xml')).toContain(
    'テ',
  )
  expect(
    decodeText(Buffer.from('<meta http-equiv=x content="text/html; charset=koi8-r">\xd0', 'latin1'), ''),
  ).toContain('п')
})

test('takes UTF-8 where nothing is said, and what old pages used where it is none', () => {
  expect(decodeText(Buffer.from('žluť'), 'text/html')).toBe('žluť')
  expect(decodeText(latin1, 'text/html')).toBe('café')
  expect(decodeText(latin1, 'text/html; charset=nonsense')).toBe('café')
  expect(decodeText(meta('utf-16', 'ok'), 'text/html')).toContain('ok')
})

test('is not misled by a character that was cut in two', () => {
  const cut = Buffer.from('žluť').subarray(0, -1)
  expect(decodeText(cut, 'text/plain', true)).toBe('žlu\uFFFD')
})

test('says when it is no text', () => {
  expect(decodeText(Buffer.from([1, 0, 2]), 'text/plain')).toBeUndefined()
})
