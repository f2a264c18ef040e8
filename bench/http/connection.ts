import { connect } from 'node:net'

/** How a round came over the wire. Times are from sending the request. */
export interface Told {
  readonly firstByteMs: number
  readonly firstDeltaMs: number
  readonly frames: number
}

/** One kept-alive connection, one request at a time. It looks for a few words only: it must not be the slow part. */
export interface Connection {
  /** Sends a message and reads the stream of its round to the end. */
  send(sessionId: string, message: string): Promise<Told>
  close(): void
}

const OK = 'HTTP/1.1 200'
const HEAD_END = '\r\n\r\n'
const DELTA = 'event: delta\n'
const COMPLETE = '"finishReason":"complete"'
const LAST_CHUNK = '\r\n0\r\n\r\n'
/** longer than any of these words, which may come in two pieces */
const OVERLAP = 32

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let reading: Reading | undefined
  socket.on('data', (chunk) => reading?.take(chunk.toString('latin1')))
  const gone = (): void => reading?.fail('the connection was closed')
  socket.on('error', gone)
  socket.on('close', gone)
  return {
    async send(sessionId, message) {
      reading = read()
      socket.write(request(port, sessionId, message))
      return reading.told
    },
    close() {
      reading = undefined
      socket.destroy()
    },
  }
}

function request(port: number, sessionId: string, message: string): string {
  const body = JSON.stringify({ content: message })
  return (
    `POST /api/sessions/${sessionId}/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

interface Reading {
  readonly told: Promise<Told>
  take(text: string): void
  fail(why: string): void
}

function read(): Reading {
  const { promise, resolve, reject } = Promise.withResolvers<Told>()
  const start = performance.now()
  let before = ''
  let inBody = false
  let firstByteMs = 0
  let firstDeltaMs = 0
  let frames = 0
  let complete = false

  function take(piece: string): void {
    let text = before + piece
    if (!inBody) {
      before = text
      const end = text.indexOf(HEAD_END)
      if (end < 0) return
      if (!text.startsWith(OK)) return reject(new Error(`refused: ${text.slice(0, 1000)}`))
      // What ends the head begins the body, so that an empty body still ends with `LAST_CHUNK`.
      text = text.slice(end + 2)
      before = ''
      inBody = true
    }
    if (firstByteMs === 0 && text.length > 2) firstByteMs = performance.now() - start
    const found = count(text, DELTA, Math.max(0, before.length - DELTA.length + 1))
    if (found > 0 && frames === 0) firstDeltaMs = performance.now() - start
    frames += found
    complete ||= text.includes(COMPLETE)
    before = text.slice(-OVERLAP)
    if (!text.endsWith(LAST_CHUNK)) return
    if (complete) resolve({ firstByteMs, firstDeltaMs, frames })
    else reject(new Error(`the round did not complete: ${text.slice(-1000)}`))
  }

  return { told: promise, take, fail: (why) => reject(new Error(why)) }
}

function count(text: string, word: string, from: number): number {
  let found = 0
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + word.length)) found++
  return found
}
