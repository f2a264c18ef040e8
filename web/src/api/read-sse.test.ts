import { expect, test } from 'vitest'
import { readSse, type SseFrame } from './read-sse.ts'

const TEXT = 'id: 4\nevent: turn.started\ndata: {"a":1}\n\n: ping\n\nevent: delta\ndata: {"text":"é€😀"}\n\n'
const FRAMES: SseFrame[] = [
  { id: '4', event: 'turn.started', data: '{"a":1}' },
  { id: undefined, event: 'ping', data: '' },
  { id: undefined, event: 'delta', data: '{"text":"é€😀"}' },
]

async function read(pieces: Uint8Array[]): Promise<SseFrame[]> {
  const frames: SseFrame[] = []
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      for (const piece of pieces) to.enqueue(piece)
      to.close()
    },
  })
  for await (const some of readSse(body)) frames.push(...some)
  return frames
}

test('frames are read the same wherever the network cuts them, also inside a character', async () => {
  const bytes = new TextEncoder().encode(TEXT)
  for (let cut = 0; cut <= bytes.length; cut += 1)
    expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(FRAMES)
  expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(FRAMES)
})

test('a frame that was cut off is not shown', async () => {
  const bytes = new TextEncoder().encode(`${TEXT}id: 5\nevent: x\ndata: {"b"`)
  expect(await read([bytes])).toEqual(FRAMES)
})
