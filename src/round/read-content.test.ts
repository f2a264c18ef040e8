import { describe, expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { sha256 } from '../lib/hash.ts'
import { readContent } from './read-content.ts'

const limits = { messageChars: 20, fileBytes: 10, messageFiles: 2 }
const text = (words: unknown) => ({ type: 'text', text: words })
const file = (more: object = {}) => ({ type: 'file', mediaType: 'text/plain', data: base64('hello'), ...more })
const base64 = (words: string): string => Buffer.from(words).toString('base64')

function problemOf(content: unknown): Problem {
  try {
    readContent(content, limits)
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('expected a Problem')
}

test('text is taken as it came', () => {
  expect(readContent(' hello ', limits)).toEqual({ content: ' hello ', files: [] })
})

test('parts keep their order, and a file is named by the hash of its bytes', () => {
  const hash = sha256('hello')
  const { content, files } = readContent([text('see'), file({ name: 'a.txt' }), text('there')], limits)
  expect(content).toEqual([
    text('see'),
    { type: 'file', mediaType: 'text/plain', name: 'a.txt', hash, bytes: 5 },
    text('there'),
  ])
  expect(files.map((one) => [one.hash, Buffer.from(one.bytes).toString()])).toEqual([[hash, 'hello']])
})

test('a message may be nothing but files, up to the limits of their number and size', () => {
  const largest = file({ data: base64('x'.repeat(10)) })
  expect(readContent([largest, largest], limits).content).toHaveLength(2)
})

test('bytes are taken as a copy', () => {
  const data = Buffer.from('hello')
  const { files } = readContent([file({ data })], limits)
  data.fill(0)
  expect(files[0]?.hash).toBe(sha256(files[0]?.bytes ?? ''))
})

test('a media type is kept without its parameters', () => {
  const { content } = readContent([file({ mediaType: 'Text/Plain; charset=utf-8' })], limits)
  expect(content).toMatchObject([{ mediaType: 'text/plain' }])
})

const BAD: readonly [what: string, content: unknown, field: string, said: RegExp][] = [
  ['nothing', undefined, 'content', /text or a list of parts/],
  ['an object', file(), 'content', /text or a list of parts/],
  ['an empty list', [], 'content', /at least one part/],
  ['too many parts', Array.from({ length: 101 }, () => text('a')), 'content', /101 parts, at most 100/],
  ['too many files', [file(), file(), file()], 'content', /3 files, at most 2 .*MESSAGE_FILES/],
  [
    'too much text',
    [text('x'.repeat(11)), text('y'.repeat(10))],
    'content',
    /21 characters, at most 20 .*MESSAGE_CHARS/,
  ],
  ['a word', ['hello'], 'content[0]', /type: "text"/],
  ['null', [null], 'content[0]', /type: "text"/],
  ['a list', [[]], 'content[0]', /type: "text"/],
  ['a part of another type', [text('a'), { type: 'image_url' }], 'content[1]', /type: "file"/],
  ['a result', [{ type: 'tool_result', tool_use_id: 'c' }], 'content[0]', /type: "file"/],
  ['an empty text', [file(), text('')], 'content[1].text', /is empty/],
  ['a text of spaces', [text(' \n')], 'content[0].text', /is empty/],
  ['no text', [{ type: 'text' }], 'content[0].text', /must be text/],
  ['half a character', [text('a\ud800')], 'content[0].text', /well-formed/],
  ['a field nobody knows', [{ ...text('a'), cache: true }], 'content[0].cache', /not a field/],
  ['bytes that claim to be stored', [{ ...file(), hash: 'f'.repeat(64) }], 'content[0].hash', /not a field/],
  ['no media type', [file({ mediaType: undefined })], 'content[0].mediaType', /such as image\/png/],
  ['another kind', [file({ mediaType: 'image/tiff' })], 'content[0].mediaType', /must be image\/png, /],
  [
    'another kind than it says',
    [file({ mediaType: 'image/png', data: base64('GIF89a') })],
    'content[0].mediaType',
    /gif/,
  ],
  ['no data', [text('a'), file({ data: undefined })], 'content[1].data', /in base64/],
  ['data in words', [file({ data: 'hello world' })], 'content[0].data', /not base64/],
  ['base64 without padding', [file({ data: 'aGVsbG8' })], 'content[0].data', /padding/],
  ['base64 for addresses', [file({ mediaType: 'image/png', data: '__79' })], 'content[0].data', /standard base64/],
  ['a data URL', [file({ data: `data:,${base64('h')}` })], 'content[0].data', /not base64/],
  ['an empty file', [file({ data: '' })], 'content[0].data', /is empty/],
  ['no bytes', [file({ data: new Uint8Array() })], 'content[0].data', /is empty/],
  ['a large file', [file({ data: base64('x'.repeat(11)) })], 'content[0].data', /11 bytes, at most 10 .*FILE_BYTES/],
  ['many bytes', [file({ data: new Uint8Array(11) })], 'content[0].data', /11 bytes, at most 10 .*FILE_BYTES/],
  ['a name of two lines', [file({ name: 'a\nb' })], 'content[0].name', /1 to 200 characters/],
  ['a name that is none', [file({ name: 7 })], 'content[0].name', /1 to 200 characters/],
]

describe('what is wrong is refused, and the field is named:', () => {
  test.each(BAD)('%s', (_, content, field, said) => {
    const problem = problemOf(content)
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(problem.message).toMatch(said)
    expect(problem.message.startsWith(`${field} `)).toBe(true)
    expect(problem.message.length).toBeLessThan(300)
  })
})
