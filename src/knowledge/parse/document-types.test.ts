import { expect, test } from 'vitest'
import { readContentType, typeOfName } from './document-types.ts'

test.each([
  ['a.md', 'text/markdown'],
  ['A.MARKDOWN', 'text/markdown'],
  ['a.b.txt', 'text/plain'],
  ['a.htm', 'text/html'],
  ['a.html', 'text/html'],
  ['a.pdf', 'application/pdf'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.doc', undefined],
  ['pdf', undefined],
  ['a.', undefined],
  ['a.constructor', undefined],
])('the type of %s is %s', (name, type) => {
  expect(typeOfName(name)).toBe(type)
})

test.each(['text/plain', 'Text/Plain; Charset="UTF-8"', ' text/plain ;x=y'])('%j is plain text', (type) => {
  expect(readContentType(type)).toBe('text/plain')
})

test.each(['', 'text', 'application/json', 'text/plain; charset=utf-16'])('%j is refused', (type) => {
  expect(() => readContentType(type)).toThrow('contentType')
})
