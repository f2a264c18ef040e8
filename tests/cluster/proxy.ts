import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way that can be interrupted: what stands at one end reaches the other through it. */
export interface Proxy {
  readonly port: number
  /** Nothing passes any more, and nobody is told: what is on its way arrives after `open`, as over a real network. */
  stop(): void
  open(): void
  /** Breaks every connection off; new ones can be made. */
  breakOff(): void
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

interface Pair {
  readonly near: Socket
  far: Socket | undefined
}

/** `target`: the port that it leads to, asked for each connection anew; `from` and `to`: on which addresses. */
export async function startProxy(target: () => number, from = LOOPBACK, to = LOOPBACK): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let isOpen = true

  function end(pair: Pair): void {
    pairs.delete(pair)
    pair.near.destroy()
    pair.far?.destroy()
  }

  function join(pair: Pair): void {
    const far = connect(target(), to)
    pair.far = far
    for (const socket of [pair.near, far]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
    pair.near.pipe(far)
    far.pipe(pair.near)
  }

  const server = createServer((near) => {
    const pair: Pair = { near, far: undefined }
    pairs.add(pair)
    near.on('error', () => end(pair))
    near.on('close', () => end(pair))
    near.setNoDelay(true)
    if (isOpen) join(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, from, resolve))

  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      isOpen = false
      for (const { near, far } of pairs) {
        if (!far) continue
        near.unpipe(far)
        far.unpipe(near)
        near.pause()
        far.pause()
      }
    },
    open() {
      isOpen = true
      for (const pair of pairs) {
        if (!pair.far) join(pair)
        else {
          pair.near.pipe(pair.far)
          pair.far.pipe(pair.near)
        }
      }
    },
    breakOff() {
      for (const pair of pairs) end(pair)
    },
    close: () =>
      new Promise((resolve) => {
        for (const pair of pairs) end(pair)
        server.close(() => resolve())
      }),
  }
}
