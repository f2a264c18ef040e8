import { connect } from 'node:net'

/** What came back for the bytes that were sent. */
export interface RawAnswer {
  /** undefined: the connection was closed without an answer */
  readonly status: number | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** the client had to give up */
  readonly silent: boolean
}

const SILENT_MS = 5000
/** A stream need not end; so much of it is read. */
const STREAM_MS = 15

/** Sends bytes as they are and reads one answer. `ends`: the client says that nothing more will come. */
export function sendRaw(port: number, bytes: Uint8Array, ends: boolean): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    let leaving: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1', () => {
      if (ends) socket.end(bytes)
      else socket.write(bytes)
    })
    const done = (silent: boolean): void => {
      clearTimeout(patience)
      clearTimeout(leaving)
      socket.destroy()
      resolve({ ...read(received), silent })
    }
    const patience = setTimeout(() => done(true), SILENT_MS)
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece])
      if (received.indexOf(GO_ON) === 0) received = received.subarray(GO_ON.length)
      if (isWhole(received)) done(false)
      else if (isStream(received)) leaving ??= setTimeout(() => done(false), STREAM_MS)
    })
    socket.on('close', () => done(false))
    // A server that refuses early may reset what is still being written.
    socket.on('error', () => {})
  })
}

const HEAD_END = '\r\n\r\n'
/** Not an answer yet. */
const GO_ON = `HTTP/1.1 100 Continue${HEAD_END}`

function headOf(received: Buffer): string | undefined {
  const end = received.indexOf(HEAD_END)
  return end < 0 ? undefined : received.toString('latin1', 0, end)
}

const isStream = (received: Buffer): boolean => /^content-type: text\/event-stream/im.test(headOf(received) ?? '')

function isWhole(received: Buffer): boolean {
  const head = headOf(received)
  if (head === undefined) return false
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? []
  if (length !== undefined) return received.length >= head.length + HEAD_END.length + Number(length)
  if (/^transfer-encoding: chunked$/im.test(head)) return received.toString('latin1').endsWith('0\r\n\r\n')
  return head.startsWith('HTTP/1.1 204 ')
}

function read(received: Buffer): Omit<RawAnswer, 'silent'> {
  const head = headOf(received)
  if (head === undefined) return { status: undefined, headers: new Map(), body: received.toString() }
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = received.subarray(Buffer.byteLength(head, 'latin1') + HEAD_END.length)
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest.toString()
  return { status: Number(first.split(' ')[1]), headers, body }
}

function unchunked(bytes: Buffer): string {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (!(size > 0)) break
    pieces.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(pieces).toString()
}
