import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface CutProxy {
  /** the same database, reached through here */
  readonly url: string
  /** Breaks all connections; while it is down, new ones are refused. */
  cut(): void
  down(): void
  up(): void
  /** Once a question has these words in it, answers are kept back until `cut` or `letThrough`. */
  holdAnswers(words: string): void
  letThrough(): void
  close(): Promise<void>
}

/** The way to a server, which can break at any moment. */
export async function cutProxy(to: string): Promise<CutProxy> {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let isDown = false
  let heldFor: string | undefined
  const proxy = createServer((client) => {
    if (isDown) return void client.destroy()
    const server = connect(Number(target.port), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    for (const one of [client, server]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        pairs.delete(pair)
        client.destroy()
        server.destroy()
      })
    }
    let isHeld = false
    client.on('data', (bytes) => {
      if (heldFor !== undefined && bytes.includes(heldFor)) isHeld = true
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isHeld || heldFor === undefined) return void client.write(bytes)
      server.pause()
      server.unshift(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const port = (proxy.address() as AddressInfo).port
  const cut = (): void => {
    heldFor = undefined
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: Object.assign(new URL(to), { hostname: '127.0.0.1', port: `${port}` }).href,
    cut,
    down() {
      isDown = true
      cut()
    },
    up: () => (isDown = false),
    holdAnswers: (words) => (heldFor = words),
    letThrough() {
      heldFor = undefined
      for (const { server } of pairs) server.resume()
    },
    async close() {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
