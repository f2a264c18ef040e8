import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../lib/id.ts'

export interface Serving {
  readonly url: string
  /** Accepts no new connections; open ones end after their responses, or after a moment. */
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly requestMs: number
}

/** How long responses may take when the server stops. */
const LEAVE_MS = 500

type Fetch = (request: Request, env?: object) => Promise<Response>

export async function serve(fetch: Fetch, { host, port, requestMs }: ServeOptions): Promise<Serving> {
  const listener = getRequestListener(fetch, { hostname: host, errorHandler: unreadableResponse })
  const server = createServer((incoming, outgoing) => {
    if (isAddress(incoming.headers.host)) return void listener(incoming, outgoing)
    const why = 'The header Host names no host that can be; expected a name or an address.'
    const { headers, body } = unreadable(400, why)
    outgoing.writeHead(400, { ...headers, connection: 'close' }).end(body)
  })
  server.requestTimeout = requestMs
  server.headersTimeout = requestMs
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const [status, words] = REFUSED[error.code ?? ''] ?? [400, 'Bad Request']
    const { headers, body } = unreadable(status)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    dismiss(socket, `HTTP/1.1 ${status} ${words}\r\nConnection: close\r\n${lines.join('')}\r\n${body}`)
  })
  // Without this, Node would close the connection without a response.
  server.on('connect', (_, socket) => {
    socket.on('error', () => {})
    dismiss(socket, 'HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Problem('CONFIG_ERROR', cannotListen(host, port, cause), { cause }))
    })
    server.listen(port, host, () => resolve())
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 10)
        const late = setTimeout(() => server.closeAllConnections(), LEAVE_MS)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(late)
          resolve()
        })
      }),
  }
}

let lastHost: string | undefined

/** Some hosts pass the HTTP parser but not the URL parser, such as 127.256.0.1. Most clients send the same one. */
function isAddress(host: string | undefined): boolean {
  if (host === undefined || host === lastHost) return true
  if (!URL.canParse(`http://${host}/`)) return false
  lastHost = host
  return true
}

/** The server does not close such a connection itself, so it is destroyed if the client does not leave. */
function dismiss(socket: Duplex, answer: string): void {
  socket.end(answer)
  const late = setTimeout(() => socket.destroy(), LEAVE_MS)
  socket.once('close', () => clearTimeout(late))
}

/** Refused by the HTTP parser, before any route. */
const REFUSED: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

function unreadable(status: number, detail = 'This is not a request that can be read as HTTP.') {
  const requestId = newId()
  const problem = { type: 'about:blank', title: 'Bad request', status, code: 'VALIDATION_ERROR', detail, requestId }
  const body = JSON.stringify(problem)
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
  }
  return { headers, body }
}

function unreadableResponse(): Response {
  const { headers, body } = unreadable(400)
  return new Response(body, { status: 400, headers })
}

function cannotListen(host: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken. Choose another with SEGNO_PORT.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose another with SEGNO_PORT.`
  return `Segno cannot listen on ${host} (${code ?? message}). Choose an address of this machine with SEGNO_HOST.`
}
