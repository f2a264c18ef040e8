import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A program outside that takes work and answers later; at `/gone` nobody wants anything any more. */
export interface Outside {
  readonly origin: string
  close(): Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(request.url === '/gone' ? 410 : 202).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
