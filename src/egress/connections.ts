import type { Socket } from 'node:net'
import type { buildConnector, Pool } from 'undici'
import { connect, type ConnectOptions } from './connect.ts'
import { EgressFailed } from './errors.ts'
import type { Target } from './target.ts'

export interface Connections {
  /** Connections to this origin that lead to these addresses and to no others. */
  to(target: Target, addresses: readonly string[]): Promise<Pool>
  close(): Promise<void>
}

export interface ConnectionsOptions extends Omit<ConnectOptions, 'open'> {
  readonly headerBytes: number
}

/** Origins kept in mind; the one not used for longest makes room. */
const MOST_POOLS = 64

/**
 * Connections that are used again. What decides is the origin together with the addresses that were checked for it just
 * now: a name that has moved, or another name on the same address, never meets a connection that was opened before.
 */
export function createConnections({ dial, connectMs, headerBytes }: ConnectionsOptions): Connections {
  const pools = new Map<string, Pool>()
  const open = new Set<Socket>()
  let isClosed = false
  return {
    async to(target, addresses) {
      // Takes longer to load than all of Segno; most sessions never need it.
      const { Pool } = await import('undici')
      if (isClosed) throw new EgressFailed('closed', 'Segno is closing its connections.')
      const key = [target.url.origin, ...addresses.toSorted()].join(' ')
      const pool =
        pools.get(key) ??
        new Pool(target.url.origin, {
          // Whatever the pool asks for, it gets the addresses that were checked.
          connect: (_asked, done) => void handOver(connect(target, addresses, { dial, connectMs, open }), done),
          allowH2: false,
          pipelining: 1,
          maxHeaderSize: headerBytes,
          // A lifetime has clocks of its own, and a stream may be silent for hours.
          headersTimeout: 0,
          bodyTimeout: 0,
        })
      pools.delete(key)
      pools.set(key, pool)
      retireOldest(pools)
      return pool
    },
    async close() {
      isClosed = true
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
      for (const socket of open) socket.destroy()
    },
  }
}

/** What is under way in it may finish. */
function retireOldest(pools: Map<string, Pool>): void {
  const [oldest] = pools
  if (pools.size <= MOST_POOLS || oldest === undefined) return
  pools.delete(oldest[0])
  oldest[1].close().catch(() => undefined)
}

async function handOver(connecting: Promise<Socket>, done: buildConnector.Callback): Promise<void> {
  let socket: Socket
  try {
    socket = await connecting
  } catch (error) {
    return done(error as Error, null)
  }
  done(null, socket)
}
