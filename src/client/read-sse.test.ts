import { expect, test } from 'vitest'
import { readSse } from './read-sse.ts'

const TEXT = 'id: 4\nevent: turn.started\ndata: {"a":1}\n\n: ping\n\nevent: delta\ndata: {"text":"é€😀"}\n\n'
const MESSAGES = [
  { id: '4', event: 'turn.started', data: '{"a":1}' },
  { id: undefined, event: 'delta', data: '{"text":"é€😀"}' },
]
const never = new AbortController().signal
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function bodyOf(pieces: readonly Uint8Array[], isOpen = false): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(to) {
      for (const piece of pieces) to.enqueue(piece)
      if (!isOpen) to.close()
    },
  })
}

const read = async (pieces: readonly Uint8Array[], most?: number) =>
  (await Array.fromAsync(readSse(bodyOf(pieces), never, most))).flat()

test.each([
  ['\n', TEXT],
  ['\r\n', TEXT.replaceAll('\n', '\r\n')],
])(
  'messages are read the same wherever the network cuts them, also inside a character (lines end with %j)',
  async (_, text) => {
    const bytes = bytesOf(text)
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(MESSAGES)
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(MESSAGES)
  },
)

test('what arrives together is given together, and a comment alone is heard of', async () => {
  const batches = await Array.fromAsync(readSse(bodyOf([bytesOf(TEXT), bytesOf(': ping\n\n')]), never))
  expect(batches).toEqual([MESSAGES, []])
})

test('a message that was cut off is not shown', async () => {
  expect(await read([bytesOf(`${TEXT}id: 5\nevent: x\ndata: {"b"`)])).toEqual(MESSAGES)
})

test('a line without end does not fill the memory', async () => {
  const piece = bytesOf('x'.repeat(1000))
  await expect(read([bytesOf('data: '), ...Array<Uint8Array>(20).fill(piece)], 10_000)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  })
})

test('who leaves is given nothing more, and the stream is let go', async () => {
  const leaving = new AbortController()
  let isLetGo = false
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isLetGo = true) })
  const reading = readSse(body, leaving.signal).next()
  leaving.abort()
  expect(await reading).toEqual({ done: true, value: undefined })
  expect(isLetGo).toBe(true)
})
