import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { followStream, place } from '../support/sse-client.ts'
import { splitFrames } from '../support/sse-frames.ts'
import { verifies } from '../support/verifies.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { ask, logOf, newSession } from './support/ask.ts'
import { served } from './support/served.ts'

const ROUNDS = 40
const TEXT_CHARS = 300_000
const QUEUE_CHARS = 700_000
/** Every text is sent twice: in deltas, and in the event that has all of it. */
const ALL_CHARS = ROUNDS * TEXT_CHARS * 2

/** A client of a stream that asks and then reads nothing until it is told to. */
function sleepingReader(url: string, path: string): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\nconnection: close\r\n\r\n`)
  return socket
}

async function metric(url: string, name: string): Promise<number> {
  const { text } = (await ask(url, 'GET', '/metrics')).body
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(String(text))?.[1] ?? Number.NaN)
}

/** The frames in what a server wrote on a connection, without the chunks they came in. */
async function framesOf(socket: Socket) {
  const bytes: Buffer[] = []
  for await (const piece of socket) bytes.push(piece as Buffer)
  const all = Buffer.concat(bytes)
  const chunks: Uint8Array[] = []
  let at = all.indexOf('\r\n\r\n') + 4
  for (;;) {
    const end = all.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(all.subarray(at, end).toString('latin1'), 16)
    if (!(size > 0)) break
    chunks.push(all.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  const frames = await Array.fromAsync(splitFrames(ReadableStream.from(chunks)))
  return { frames, received: all.length }
}

verifies('REL-5', 'who waits for an answer gets it, also where it comes as a flood', async () => {
  const model = { scenarios: [{ when: '', turns: [{ text: 'x'.repeat(TEXT_CHARS), deltaChars: 15_000 }] }] }
  const { url } = await served({ model, limits: { STREAM_CHARS: 1000 } })
  const path = `/api/sessions/${await newSession(url)}/messages?wait=1`
  const { status, body } = await ask(url, 'POST', path, { content: 'more' })
  expect([status, body.content?.length]).toEqual([200, TEXT_CHARS])
})

verifies(
  'REL-5',
  'a reader that does not read is dropped with a reason, costs others nothing, and comes back for the rest',
  async () => {
    const model = {
      scenarios: [{ when: '', turns: [{ text: 'x'.repeat(TEXT_CHARS), deltaChars: 15_000, delayMs: 1 }] }],
    }
    const { url } = await served({ model, limits: { STREAM_CHARS: QUEUE_CHARS, HISTORY_MESSAGES: 1 } })
    const id = await newSession(url)
    const events = `/api/sessions/${id}/events`
    const sleeper = sleepingReader(url, events)
    await eventually(async () => (await metric(url, 'segno_streams_active')) === 1)
    const other = followStream({ url: url + events, ends: () => false, comesBack: false })
    const quiet = await newSession(url)
    let rest: ReturnType<typeof framesOf> | undefined
    for (let round = 1; round <= ROUNDS; round++) {
      const { body } = await ask(url, 'POST', `/api/sessions/${id}/messages?wait=1`, { content: 'more' })
      expect(body.finishReason).toBe('complete')
      // It wakes up: who is dropped and still does not read is cut off after a while, and never learns why.
      if ((await metric(url, 'segno_readers_dropped_total')) === 1) rest ??= framesOf(sleeper)
    }
    const head = (await logOf(url, id)).length
    await eventually(() => other.lastId === String(head))
    // Another session, and another reader of the same one, had everything meanwhile.
    expect(other.faults).toEqual([])
    expect((await ask(url, 'POST', `/api/sessions/${quiet}/messages?wait=1`, { content: 'hi' })).status).toBe(200)

    const { frames, received } = await (rest ?? framesOf(sleeper))
    expect(frames.at(-1)).toEqual({ event: 'dropped', data: { reason: 'slow_reader' } })
    // All that was kept for it: what its queue may hold, and what fits into the buffers of two sockets.
    expect(received).toBeLessThan(ALL_CHARS / 2)
    const last = frames.findLast((frame) => frame.id !== undefined)?.id ?? ''
    expect(place(last)[0]).toBeLessThan(head)
    const back = followStream({
      url: url + events,
      lastId: last,
      comesBack: false,
      ends: (frame) => frame.id === String(head),
    })
    await back.over
    expect(back.faults).toEqual([])
    const numbers = [...frames, ...back.frames].flatMap(({ data }) => data.seq ?? [])
    expect(numbers).toEqual(Array.from({ length: head }, (_, at) => at + 1))
    other.leave()
    await eventually(async () => (await metric(url, 'segno_streams_active')) === 0)
    expect(await metric(url, 'segno_readers_dropped_total')).toBe(1)
  },
)
