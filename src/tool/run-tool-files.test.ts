import { expect, test } from 'vitest'
import { withFiles, type ToolFile, type ToolOutput } from '../contract/tool.ts'
import { expectNoUnhandledRejection, never, run } from './run-body.suite.ts'

expectNoUnhandledRejection()

const bytes = (words: string): Uint8Array => new TextEncoder().encode(words)
const note: ToolFile = { mediaType: 'text/plain', data: bytes('hello'), name: 'a.txt' }
const returning = (output: ToolOutput, files: unknown) => run(() => withFiles(output, files as readonly ToolFile[]))

test('a tool returns text with files', async () => {
  const picture = { mediaType: 'IMAGE/PNG', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) }
  expect(await returning({ n: 1 }, [note, picture])).toMatchObject({
    outcome: 'ok',
    content: '{"n":1}',
    files: [note, { ...picture, mediaType: 'image/png' }],
  })
})

test('files alone are enough, and the text says how many there are', async () => {
  for (const nothing of [undefined, null, ''])
    expect(await returning(nothing, [note])).toMatchObject({ content: '(files: 1)', files: [note] })
})

test('an empty list of files is none', async () => {
  const result = await returning('text', [])
  expect(result).toMatchObject({ outcome: 'ok', content: 'text' })
  expect(result).not.toHaveProperty('files')
})

test('the text of an output with files is cut as any other', async () => {
  const result = await run(() => withFiles('abcdef', [note]), { outputChars: 3 })
  expect(result).toMatchObject({ content: 'abc\n[… 3 characters cut]', cut: 3, full: 'abcdef', files: [note] })
})

test('what the tool does with its buffer afterwards changes nothing', async () => {
  const data = bytes('hello')
  const result = await returning('text', [{ ...note, data }])
  data.fill(0)
  expect(result.files).toEqual([note])
})

test('more files than may be are left out, which the model is told', async () => {
  const { files, content } = await returning('text', [note, note, note, note, note])
  expect(files).toHaveLength(3)
  expect(content).toBe('text\n[left out: 2 more, because a result has at most 3 files (limit MESSAGE_FILES)]')
})

test.each<[what: string, file: unknown, why: string]>([
  [
    'a large one',
    { ...note, data: new Uint8Array(1001) },
    'it has 1001 bytes, at most 1000 are kept (limit FILE_BYTES)',
  ],
  ['an empty one', { ...note, data: bytes('') }, 'its data is empty'],
  ['one of another kind', { ...note, mediaType: 'video/mp4' }, 'its mediaType must be image/png'],
  [
    'one that is not what it says',
    { mediaType: 'image/png', data: bytes('GIF89a') },
    'its mediaType says image/png, but the data is image/gif',
  ],
  ['one without a kind', { data: bytes('x') }, 'it has no mediaType'],
  ['one in base64', { ...note, data: 'aGVsbG8=' }, 'its data is not a Uint8Array'],
  ['nothing', null, 'it has no mediaType'],
])('%s is left out, the others stay, and the model is told why', async (_, file, why) => {
  const { outcome, content, files } = await returning('text', [file, note])
  expect([outcome, files]).toEqual(['ok', [note]])
  expect(content).toContain(`text\n[left out: file 1, because ${why}`)
})

test('a name that is no name is dropped, not its file', async () => {
  const { data, mediaType } = note
  expect((await returning('text', [{ ...note, name: 'a\nb' }])).files).toEqual([{ data, mediaType }])
})

test('files that are no list are left out', async () => {
  const result = await returning('text', 'a.png')
  expect(result).toMatchObject({ outcome: 'ok', content: 'text\n[left out: the files, because they are not a list]' })
})

test('a tool that was told to stop has its text shown and no files', async () => {
  const late = await run(
    ({ signal }) => new Promise((done) => signal.addEventListener('abort', () => done(withFiles('half', [note])))),
    { timeoutMs: 10 },
  )
  expect(late).toMatchObject({ outcome: 'timeout', content: expect.stringContaining('half') as string })
  expect(late).not.toHaveProperty('files')
  expect(await run(never, { timeoutMs: 10 })).not.toHaveProperty('files')
})
