import type { Socket } from 'node:net'
import type { buildConnector, Pool } from 'undici'
import { connect, type ConnectOptions } from './connect.ts'
import { EgressFailed } from './errors.ts'
import type { Target } from './target.ts'

/** When there are more, the least recently used one goes. */
const MOST_POOLS = 64

/**
 * Connections are reused only for the same origin with the same checked addresses, so that a name that moved never gets
 * an old connection.
 */
export function createConnections(options: Omit<ConnectOptions, 'open'>, headerBytes: number) {
  const pools = new Map<string, Pool>()
  const open = new Set<Socket>()
  let isClosed = false
  return {
    /** Connections to this origin that use these addresses only. */
    async to(target: Target, addresses: readonly string[]): Promise<Pool> {
      // Slow to load, and most sessions never need it.
      const { Pool } = await import('undici')
      if (isClosed) throw new EgressFailed('closed', 'Segno is closing its connections.')
      const key = [target.url.origin, ...addresses.toSorted()].join(' ')
      const pool =
        pools.get(key) ??
        new Pool(target.url.origin, {
          // Whatever the pool asks for, it gets the checked addresses.
          connect: (_asked, done) => void handOver(connect(target, addresses, { ...options, open }), done),
          allowH2: false,
          pipelining: 1,
          maxHeaderSize: headerBytes,
          // `Lifetime` has the timeouts, and a stream may be silent for hours.
          headersTimeout: 0,
          bodyTimeout: 0,
        })
      pools.delete(key)
      pools.set(key, pool)
      retireOldest(pools)
      return pool
    },
    async close(): Promise<void> {
      isClosed = true
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
      for (const socket of open) socket.destroy()
    },
  }
}

/** Requests under way may finish. */
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
