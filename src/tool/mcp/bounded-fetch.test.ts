import { expect, test } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'

function answering(type: string, chunks: readonly string[]): typeof fetch {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  return () => Promise.resolve(new Response(body, { status: 201, headers: { 'content-type': type } }))
}

const read = async (type: string, ...chunks: string[]): Promise<string> =>
  (await boundedFetch(answering(type, chunks), 10)('http://x')).text()

test('passes an answer on as it is, up to its length', async () => {
  expect(await read('application/json', '12345', '67890')).toBe('1234567890')
  await expect(read('application/json', '12345', '678901')).rejects.toThrow('more than 10 bytes')
  const response = await boundedFetch(answering('text/plain', ['x']), 10)('http://x')
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'text/plain'])
})

test.each(['\n\n', '\r\n\r\n', '\r\r'])('counts each event of a stream by itself, ended by %j', async (end) => {
  const events = Array.from({ length: 50 }, () => `data:x${end}`)
  expect(await read('text/event-stream', ...events)).toBe(events.join(''))
  expect(await read('text/event-stream; charset=utf-8', ...events.join('').split(''))).toBe(events.join(''))
  await expect(read('text/event-stream', ...events, 'data:12345678', '90')).rejects.toThrow('more than 10 bytes')
})

test('does not take the end of a line for the end of an event', async () => {
  await expect(read('text/event-stream', 'data:x\n', 'data:x\n')).rejects.toThrow('more than 10 bytes')
})
