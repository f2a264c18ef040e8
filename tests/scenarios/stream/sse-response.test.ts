import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sseResponse } from '../../../src/channel/http/sse-response.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { DIALECTS, type Wire, type WireStream } from '../../../src/stream/index.ts'

const wire = (id: number): Wire => ({ id: String(id), event: 'tick', data: { id } })

/** Batches a test hands out one by one. */
function source() {
  const batches: Wire[][] = []
  let wake = Promise.withResolvers<void>()
  let isOver = false
  const asked = { times: 0, returned: 0 }
  return {
    asked,
    give(...batch: Wire[]) {
      batches.push(batch)
      wake.resolve()
    },
    end() {
      isOver = true
      wake.resolve()
    },
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<IteratorResult<Wire[], undefined>> {
        asked.times += 1
        for (;;) {
          const value = batches.shift()
          if (value) return { done: false, value }
          if (isOver) return { done: true, value: undefined }
          await wake.promise
          wake = Promise.withResolvers()
        }
      },
      async return() {
        asked.returned += 1
        return { done: true as const, value: undefined }
      },
    }),
  }
}

function respond(batches: AsyncIterable<Wire[]>, more: { paceMs?: number; dropped?: AbortSignal } = {}) {
  const stop = new AbortController()
  const onClose = vi.fn<() => void>()
  const { paceMs = 0, dropped = new AbortController().signal } = more
  const stream: WireStream = {
    [Symbol.asyncIterator]: () => batches[Symbol.asyncIterator](),
    dialect: { ...DIALECTS.native, paceMs },
    dropped,
    error: (problem) => ({ event: 'error', data: problem }),
  }
  const response = sseResponse(stream, { stop, onClose })
  return { response, stop, onClose, reader: (response.body as ReadableStream<Uint8Array>).getReader() }
}

const textOf = (chunk: { value?: Uint8Array | undefined }): string => new TextDecoder().decode(chunk.value)

test('a batch is one write of frames with id, event and data', async () => {
  const from = source()
  const { reader, response } = respond(from)
  from.give(wire(1), { event: 'delta', data: '{"text":"a"}' })
  expect(textOf(await reader.read())).toBe('id: 1\nevent: tick\ndata: {"id":1}\n\nevent: delta\ndata: {"text":"a"}\n\n')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
})

test('nothing is read ahead of the client', async () => {
  const from = source()
  const { reader } = respond(from)
  for (let i = 0; i < 10; i++) from.give(wire(i))
  await new Promise(setImmediate)
  expect(from.asked.times).toBe(0)
  await reader.read()
  await new Promise(setImmediate)
  expect(from.asked.times).toBe(1)
})

test('the response ends with the source', async () => {
  const from = source()
  const { reader, onClose, stop } = respond(from)
  from.end()
  expect((await reader.read()).done).toBe(true)
  expect([onClose.mock.calls.length, stop.signal.aborted]).toEqual([1, true])
})

test('a client that goes away ends the source, also while nothing comes', async () => {
  const from = source()
  const { reader, onClose, stop } = respond(from)
  const reading = reader.read()
  await reader.cancel()
  await reading
  expect([onClose.mock.calls.length, stop.signal.aborted, from.asked.returned]).toEqual([1, true, 1])
  from.give(wire(1))
  await new Promise(setImmediate)
  expect(onClose).toHaveBeenCalledTimes(1)
})

test.each(['reading', 'not reading'])('stopping ends the response of a client that is %s', async (how) => {
  const from = source()
  const { reader, onClose, stop } = respond(from)
  const reading = how === 'reading' ? reader.read() : undefined
  stop.abort()
  expect((await (reading ?? reader.read())).done).toBe(true)
  expect(onClose).toHaveBeenCalledTimes(1)
})

test.each([
  [new Problem('NOT_FOUND', 'There is no session x.'), 'NOT_FOUND', 'There is no session x.'],
  [new Error('secret at line 7'), 'INTERNAL_ERROR', 'Segno made a mistake. Nothing was lost.'],
])('%s in the middle is told as a last frame, without its inside', async (error, code, message) => {
  async function* failing(): AsyncGenerator<Wire[]> {
    yield [wire(1)]
    throw error
  }
  const { reader, onClose } = respond(failing())
  await reader.read()
  expect(textOf(await reader.read())).toBe(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`)
  expect((await reader.read()).done).toBe(true)
  expect(onClose).toHaveBeenCalledTimes(1)
})

describe('in time', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
  )
  afterEach(() => void vi.useRealTimers())

  test('a ping comes every 15 seconds while nothing else does', async () => {
    const { reader } = respond(source())
    const first = reader.read()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(textOf(await first)).toBe(': ping\n\n')
    const second = reader.read()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(textOf(await second)).toBe(': ping\n\n')
  })

  test('a client that does not read is not sent one ping after the other', async () => {
    const from = source()
    const { reader } = respond(from)
    const first = reader.read()
    await vi.advanceTimersByTimeAsync(150_000)
    from.give(wire(1))
    expect(textOf(await first)).toBe(': ping\n\n')
    expect(textOf(await reader.read())).toContain('id: 1')
  })

  test('a client that reads nothing for minutes is let go, whatever waits for it', async () => {
    const from = source()
    const { reader, onClose } = respond(from)
    from.give(wire(1))
    await reader.read()
    await vi.advanceTimersByTimeAsync(150_000)
    expect(onClose).toHaveBeenCalledTimes(1)
    await expect(reader.read()).rejects.toThrow('does not read')
  })

  test('a pace holds between two writes', async () => {
    const from = source()
    const { reader } = respond(from, { paceMs: 50 })
    from.give(wire(1))
    from.give(wire(2))
    await reader.read()
    let isThere = false
    const second = reader.read().then((chunk) => {
      isThere = true
      return chunk
    })
    await vi.advanceTimersByTimeAsync(49)
    expect(isThere).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(textOf(await second)).toContain('id: 2')
  })

  test('a client that was dropped and does not read is broken off', async () => {
    const from = source()
    const slow = new AbortController()
    const { reader, onClose, stop } = respond(from, { dropped: slow.signal })
    from.give(wire(1))
    await reader.read()
    // Less than the minute after which whoever reads nothing is let go.
    await vi.advanceTimersByTimeAsync(45_000)
    expect(stop.signal.aborted).toBe(false)
    slow.abort()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(stop.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect([onClose.mock.calls.length, stop.signal.aborted]).toEqual([1, true])
    await expect(reader.read()).rejects.toThrow('does not read')
  })

  test('a client that was dropped and reads on is let go in order', async () => {
    const from = source()
    const slow = new AbortController()
    const { reader, onClose } = respond(from, { dropped: slow.signal })
    const first = reader.read()
    slow.abort()
    await vi.advanceTimersByTimeAsync(9_000)
    from.give(wire(1))
    await first
    await vi.advanceTimersByTimeAsync(9_000)
    from.give({ event: 'dropped', data: { reason: 'slow_reader' } })
    from.end()
    expect(textOf(await reader.read())).toContain('dropped')
    expect((await reader.read()).done).toBe(true)
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  test('a response nobody begins to read is let go', async () => {
    const from = source()
    const { onClose } = respond(from)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(from.asked.times).toBe(0)
  })
})
