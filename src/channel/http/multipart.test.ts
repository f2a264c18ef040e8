import { expect, test } from 'vitest'
import { readMultipart } from './multipart.ts'

const read = (body: string, contentType = 'multipart/form-data; boundary=b') =>
  readMultipart(Buffer.from(body), contentType).map(({ bytes, ...part }) => ({ ...part, text: bytes.toString() }))

const part = (head: string, text: string): string => `--b\r\n${head}\r\n\r\n${text}\r\n`

test('reads what the platform writes, byte for byte', async () => {
  const form = new FormData()
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) % 256)
  form.set('title', 'Über "alles"')
  form.set('file', new File([bytes], 'a "b"; c.pdf', { type: 'application/pdf' }))
  form.set('empty', '')
  const sent = new Response(form)
  const parts = readMultipart(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type') ?? '')
  expect(parts.map(({ name, fileName, contentType }) => [name, fileName, contentType])).toEqual([
    ['title', undefined, undefined],
    ['file', 'a "b"; c.pdf', 'application/pdf'],
    ['empty', undefined, undefined],
  ])
  expect(parts.map((one) => Buffer.from(one.bytes))).toEqual([
    Buffer.from('Über "alles"'),
    Buffer.from(bytes),
    Buffer.from(''),
  ])
})

test('reads a boundary in quotes, a quote behind a backslash, and line ends and marks inside of a part', () => {
  const body = `--b c\r\nContent-Disposition: form-data; name="x\\"y"\r\n\r\n--b\r\n--bc\n\r\n--b c--\r\n`
  expect(read(body, 'multipart/form-data; boundary="b c"')).toEqual([{ name: 'x"y', text: '--b\r\n--bc\n' }])
})

const named = 'Content-Disposition: form-data; name=x'
test.each([
  ['no boundary in the content-type', part(named, ''), 'multipart/form-data'],
  ['another boundary', part(named, ''), 'multipart/form-data; boundary=c'],
  ['nothing', ''],
  ['no last boundary', part(named, 'text')],
  ['a part without a name', `${part('Content-Type: text/plain', 'text')}--b--`],
  ['a part without an end of its head', `--b\r\n${named}\r\n--b--`],
  ['a head that is too long', `${part(`${named}\r\nX: ${'x'.repeat(5000)}`, '')}--b--`],
  ['eleven parts', `${part(named, '').repeat(11)}--b--`],
  ['words behind a boundary', `--b words\r\n${named}\r\n\r\n\r\n--b--`],
])('refuses %s', (_, body, contentType?: string) => {
  expect(() => read(body, contentType)).toThrow(/^body is no form that can be read: /)
})
