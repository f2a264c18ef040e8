import { describe, expect, test } from 'vitest'
import { fileFault, isFileName, plainMediaType } from './file-kind.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

const HEADS: readonly [mediaType: string, head: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x00\x01\r\nWEBP'],
  ['application/pdf', '%PDF-1.7'],
]

describe('a file', () => {
  for (const [mediaType, head] of HEADS) {
    test(`that begins as ${mediaType} may be called that, and nothing else`, () => {
      const content = bytes(`${head} and more`)
      expect(fileFault(mediaType, content)).toBeUndefined()
      for (const [other] of HEADS.filter(([one]) => one !== mediaType)) {
        expect(fileFault(other, content)).toEqual({
          field: 'mediaType',
          message: `says ${other}, but the data is ${mediaType}`,
        })
      }
    })
  }

  test('that is nothing of the kind it is said to be is refused: a provider would refuse it with every message', () => {
    for (const [mediaType] of HEADS)
      expect(fileFault(mediaType, bytes('abc'))).toMatchObject({
        message: expect.stringContaining('nothing of the kind') as string,
      })
  })

  test('that is a document may have some bytes before its own', () => {
    expect(fileFault('application/pdf', bytes('\n\n%PDF-1.7'))).toBeUndefined()
  })

  test.each(['text/plain', 'text/html', 'text/x-python', 'text/vnd.a+b'])('of %s is taken if it is UTF-8', (type) => {
    expect(fileFault(type, Buffer.from('grüße %PDF-'))).toBeUndefined()
    expect(fileFault(type, bytes('gr\xfc\xdfe'))).toMatchObject({ field: 'data' })
  })

  test.each([
    '',
    'png',
    'image/',
    'image/tiff',
    'image/svg+xml',
    'video/mp4',
    'text/',
    'text/a b',
    'textual/plain',
    'a\n',
  ])('of the kind %j is refused, and the kinds that are taken are named', (type) => {
    const fault = fileFault(type, bytes('abc'))
    expect(fault?.field).toBe('mediaType')
    expect(fault?.message).toContain('image/png, image/jpeg, image/gif, image/webp, application/pdf or text/')
  })

  test('without a byte is refused', () => {
    for (const type of ['image/png', 'text/plain'])
      expect(fileFault(type, bytes(''))).toEqual({ field: 'data', message: 'is empty' })
  })
})

test('a media type is compared without its parameters and in small letters', () => {
  expect(plainMediaType(' Text/HTML; charset=UTF-8')).toBe('text/html')
})

test('a name fits on a line', () => {
  for (const name of ['a.png', 'Ünïcode 写真.pdf', 'x'.repeat(200), 'a/b'])
    expect([name, isFileName(name)]).toEqual([name, true])
  for (const name of ['', ' ', 'a\nb', 'a\u0000', 'a\u2028b', '\ud800', 'x'.repeat(201), 7, null])
    expect([name, isFileName(name)]).toEqual([name, false])
})
