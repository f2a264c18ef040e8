import { expect, test } from 'vitest'
import { kindOf, readFiles, toBase64 } from './read-files.ts'

const limits = { fileBytes: 1000, messageFiles: 2, bodyBytes: 2000 }
const file = (content: string | Uint8Array<ArrayBuffer>, name = 'a.txt', type = ''): File =>
  new File([content], name, { type })

test('a file is read into base64 with what it is', async () => {
  const { taken, problems } = await readFiles([file('hello')], [], limits)
  expect(problems).toEqual([])
  expect(taken).toEqual([{ name: 'a.txt', mediaType: 'text/plain', data: 'aGVsbG8=', bytes: 5 }])
})

test.each([
  ['image/png', 'x', 'image/png'],
  ['text/csv', 'a,b', 'text/csv'],
  ['application/json', '{}', 'text/plain'],
  ['video/mp2t', 'const a = 1', 'text/plain'],
  ['image/svg+xml', '<svg/>', 'text/plain'],
])('%s with %j is sent as %s', (type, content, sent) => {
  expect(kindOf(type, new TextEncoder().encode(content))).toBe(sent)
})

test.each([
  [[file('')], /empty/],
  [[file('x'.repeat(1001))], /1001 B; a file may have 1000 B/],
  [[file(new Uint8Array([0xff, 0xfe, 0x80]), 'x.zip')], /x\.zip is no picture/],
  [[file('a'), file('b'), file('c', 'third.txt')], /third\.txt is one too many/],
  [[file('a'.repeat(900)), file('b'.repeat(900))], /does not fit/],
])('what cannot be sent is said before it is sent', async (files, problem) => {
  const read = await readFiles(files, [], limits)
  expect(read.problems).toHaveLength(1)
  expect(read.problems[0]).toMatch(problem)
  expect(read.taken).toHaveLength(files.length - 1)
})

test('a name is one line', async () => {
  const { taken } = await readFiles([file('x', 'a\u0000b\u2028c.txt')], [], limits)
  expect(taken[0]?.name).toBe('a_b_c.txt')
})

test('base64 is right for any length', () => {
  for (const length of [0, 1, 2, 3, 32_768, 32_769, 100_000]) {
    const content = Uint8Array.from({ length }, (_, at) => at % 256)
    expect(toBase64(content)).toBe(Buffer.from(content).toString('base64'))
  }
})
