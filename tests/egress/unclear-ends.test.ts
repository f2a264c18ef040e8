import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTls, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { createEgress, type EgressFailedCode } from '../../src/egress/index.ts'
import { verifies } from '../support/verifies.ts'
import { CERTIFICATE, KEY } from './support/certificate.ts'

/** What a server does with a request; `raw` is the connection below TLS. */
type Conduct = (socket: Socket, raw: Socket, nth: number) => void

const SCHEMES = ['http', 'https'] as const
type Scheme = (typeof SCHEMES)[number]

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const HALF_A_HEAD = 'HTTP/1.1 200 OK\r\ncontent-le'
/** More than the system keeps for a server that does not read. */
const LARGE = 'x'.repeat(20 * 1024 * 1024)

/** How a connection may end after a request was sent, at least in part. */
const ENDS: Readonly<Record<string, Conduct>> = {
  'closes it': (socket) => void socket.end(),
  'drops it': (_socket, raw) => void raw.destroy(),
  'resets it': (_socket, raw) => void raw.resetAndDestroy(),
  'breaks off in the head': (socket, raw) => void socket.write(HALF_A_HEAD, () => raw.resetAndDestroy()),
  'closes it in the head': (socket) => void socket.end(HALF_A_HEAD),
}

const trusted = getCACertificates()
beforeAll(() => setDefaultCACertificates([...trusted, CERTIFICATE]))
afterAll(() => setDefaultCACertificates(trusted))

/** An egress that reaches only a server that does so when a request comes. */
async function facing(scheme: Scheme, conduct: Conduct, tls: TlsOptions = {}) {
  let nth = 0
  let raw: Socket | undefined
  const accept = (socket: Socket): void => {
    socket
      .on('error', () => {})
      .on('data', (piece: Buffer) => {
        // A large body comes in many pieces.
        if (raw && piece.subarray(0, 5).toString() === 'POST ') conduct(socket, raw, (nth += 1))
      })
  }
  const server: Server =
    scheme === 'http' ? createServer(accept) : createTls({ key: KEY, cert: CERTIFICATE, ...tls }, accept)
  server.on('connection', (socket: Socket) => (raw = socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({
    resolve: () => Promise.resolve(['93.184.216.34']),
    own: () => [],
    dial: () => connect({ host: '127.0.0.1', port }),
  })
  onTestFinished(async () => {
    await egress.close()
    raw?.destroy()
    server.close()
  })
  return async (body = 'x', headersMs = 20_000): Promise<{ sends: number; code?: EgressFailedCode }> => {
    let sends = 0
    const init = { method: 'POST', body, headersMs, onSend: () => void (sends += 1) }
    const answered = egress.fetch(`${scheme}://secure.example.com/`, init).then((response) => response.text())
    return answered.then(
      () => ({ sends }),
      (error: unknown) => ({ sends, code: (error as { code: EgressFailedCode }).code }),
    )
  }
}

for (const scheme of SCHEMES) {
  for (const [end, conduct] of Object.entries(ENDS)) {
    verifies('REL-2', `a request over ${scheme} whose server ${end} was sent, and is lost`, async () => {
      const post = await facing(scheme, conduct)
      expect(await post()).toEqual({ sends: 1, code: 'lost' })
      expect(await post(LARGE)).toEqual({ sends: 1, code: 'lost' })
    })

    verifies(
      'REL-2',
      `a request over a kept ${scheme} connection whose server ${end} was sent, and is lost`,
      async () => {
        const post = await facing(scheme, (socket, raw, nth) => {
          if (nth === 1) socket.write(OK)
          else conduct(socket, raw, nth)
        })
        expect(await post()).toEqual({ sends: 1 })
        expect(await post()).toEqual({ sends: 1, code: 'lost' })
      },
    )
  }

  verifies('REL-2', `a request over ${scheme} that is not answered in time was sent`, async () => {
    const post = await facing(scheme, () => {})
    expect(await post('x', 2000)).toEqual({ sends: 1, code: 'timeout' })
  })
}

verifies(
  'REL-2',
  'a request to a server that wants a certificate of ours only after the handshake was sent',
  async () => {
    const post = await facing('https', () => {}, { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' })
    expect(await post()).toEqual({ sends: 1, code: 'lost' })
  },
)

verifies('REL-2', 'a request whose connection was never secure was not sent', async () => {
  for (const tls of [
    { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' },
    { SNICallback: (_name: string, done: (error: Error) => void) => done(new Error('not here')) },
  ] satisfies TlsOptions[]) {
    const post = await facing('https', () => {}, tls)
    expect(await post()).toEqual({ sends: 0, code: 'tls' })
  }
})
