import { createServer, type AddressInfo, type Socket } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { oneAtATime } from '../../../src/lib/one-at-a-time.ts'

export interface PGliteServer {
  readonly url: string
  close(): Promise<void>
}

/** Ends what is asked at once: a query, or a sync after the steps of one. */
const ENDS = new Set('QS')
const TERMINATE = 'X'
/** Of a connection that is in no transaction. */
const IDLE = 'I'.charCodeAt(0)

/**
 * A database in this process that has pgvector, for any number of connections. It has only one session, so whoever
 * begins a transaction has it alone until its end.
 */
export async function pgliteServer(): Promise<PGliteServer> {
  const database = await PGlite.create({ extensions: { vector } })
  const inTurn = oneAtATime<void>()
  const sockets = new Set<Socket>()

  async function serve(socket: Socket): Promise<void> {
    const requests = requestsOf(socket)
    const answer = async (request: Uint8Array): Promise<boolean> => {
      const told = await database.execProtocolRaw(request)
      socket.write(told)
      return told.at(-1) === IDLE
    }
    for await (const request of requests) {
      await inTurn('session', async () => {
        for (let isIdle = await answer(request); !isIdle;) {
          const next = await requests.next()
          if (next.done === true) return void (await database.exec('ROLLBACK'))
          isIdle = await answer(next.value)
        }
      })
    }
    socket.end()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    void serve(socket).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}

/** What is asked on a connection, each of it complete, until it says goodbye. */
async function* requestsOf(socket: Socket): AsyncGenerator<Uint8Array, void, void> {
  let bytes: Buffer = Buffer.alloc(0)
  let from = 0
  // Only the first message has no type.
  let typed = 0
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    for (;;) {
      if (bytes.length < from + typed + 4) break
      const end = from + typed + bytes.readUInt32BE(from + typed)
      if (bytes.length < end) break
      const type = String.fromCharCode(bytes[from] ?? 0)
      const isFirst = typed === 0
      if (!isFirst && type === TERMINATE) return
      from = end
      if (!isFirst && !ENDS.has(type)) continue
      yield bytes.subarray(0, end)
      bytes = bytes.subarray(end)
      from = 0
      typed = 1
    }
  }
}
