import { createCluster, soleCluster, type Cluster } from './cluster/index.ts'
import { readConfig, roomsOf, storeName, type Rooms, type Settings } from './config/index.ts'
import { isStoreAway, Problem } from './contract/problem.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { delay } from './lib/delay.ts'
import { VERSION } from './lib/version.ts'
import type { NodeLoad, NodeStore, Store } from './store/index.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { createLog, type Log } from './telemetry/index.ts'

/** The wait before a database that was not there is tried again. */
const AGAIN_MS = 500

/** How often followed sessions of other nodes are polled. */
const WATCH_MS = 1000

export interface StoreParts {
  readonly clock?: Clock
  /** wraps the store, for tests */
  store?(open: () => Store): Store
  /** read only: this process does not become a node */
  readonly passive?: boolean
  /** for tests: divides all times of a cluster, and replaces this machine's clock */
  readonly cluster?: { readonly faster?: number; readonly clock?: Clock }
}

export interface OpenedStore {
  readonly store: Store
  readonly cluster: Cluster
  /** the source of all stored times */
  readonly clock: Clock
  /** the cluster whose nodes share this one's files */
  readonly sharedBy?: { readonly id: string; hasOthers(): Promise<boolean> }
  /** Whether other nodes live. */
  hasOthers(): Promise<boolean>
}

/** SQLite for one process, or PostgreSQL with this process as one node. */
export async function openStore(
  settings: Pick<Rooms, 'store' | 'postgres' | 'cluster'>,
  parts: StoreParts,
  log: Log,
  load: () => NodeLoad,
): Promise<OpenedStore> {
  const { clock = systemClock, passive } = parts
  const wrapped = (open: () => Store): Store => parts.store?.(open) ?? open()
  const { url, startMs, ...limits } = settings.postgres
  if (url === undefined) {
    const store = wrapped(() => openSqliteStore(settings.store))
    return { store, clock, cluster: soleCluster(clock, VERSION, load), hasOthers: async () => false }
  }
  const { openPostgres } = await import('./store/postgres/index.ts')
  let cluster: Cluster | undefined
  const node = { id: (): string => cluster?.id() ?? '' }
  const { faster = 1 } = parts.cluster ?? {}
  const { store, nodes } = await openWithRetries(startMs, log, () =>
    openPostgres({ url, ...limits, node, watchMs: WATCH_MS / faster }),
  )
  try {
    const hasOthers = (): Promise<boolean> => hasNodesBeside(nodes, node.id())
    if (passive) {
      cluster = soleCluster(clock, VERSION, load)
      return { store: wrapped(() => store), clock, cluster, hasOthers }
    }
    cluster = await createCluster(nodes, {
      ...settings.cluster,
      version: VERSION,
      faster,
      load,
      ...(parts.cluster?.clock && { clock: parts.cluster.clock }),
      onClockOff: (byMs) => log.warn('clock_off', { durationMs: Math.round(byMs) }),
      onWaiting: () => log.warn('node_waiting'),
      onUnreachable: (nodeId) => log.warn('node_unreachable', { nodeId }),
    })
    logCluster(cluster, log)
    const { leave, clock: itsClock } = cluster
    // Closing the store without `isIdle` leaves its calls doubtful.
    const close = async (): Promise<void> => {
      await leave(false).catch(() => {})
      await store.close()
    }
    const sharedBy = { id: cluster.cluster, hasOthers }
    return { store: wrapped(() => ({ ...store, close })), clock: parts.clock ?? itsClock, cluster, sharedBy, hasOthers }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the configured database, which migrates it. */
export async function migrateDatabase(env: Settings) {
  const config = readConfig(env)
  const idle = (): NodeLoad => ({ sessions: 0, rounds: 0, slots: 0 })
  const { store } = await openStore(roomsOf(config), { passive: true }, createLog({ level: 'off' }), idle)
  await store.close()
  return { file: storeName(config), ...store.schema }
}

async function hasNodesBeside(nodes: NodeStore, self: string): Promise<boolean> {
  const { nodes: all, now } = await nodes.nodes()
  return all.some(({ id, until }) => id !== self && until > now)
}

const SEARCHES = {
  added: 'words and by meaning (pgvector)',
  offered: 'words, and by meaning once pgvector is added: CREATE EXTENSION vector, then start Segno again',
  missing: 'words only, because the server does not have pgvector',
} as const

/** The state of a PostgreSQL database in words, without changing it. */
export async function describeDatabase(settings: Rooms['postgres']): Promise<{ fault?: string; note: string }> {
  const { url, connectMs, statementMs } = settings
  if (url === undefined) return { note: '' }
  const { checkDatabase } = await import('./store/postgres/index.ts')
  try {
    const { nodes, pgvector } = await checkDatabase({ url, connectMs, statementMs, connections: 1 })
    const living = nodes === 1 ? '1 node lives' : `${nodes} nodes live`
    return { note: `can be used; ${living}; documents are found by ${SEARCHES[pgvector]}` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { fault: error.message, note: error.message }
  }
}

function logCluster(cluster: Cluster, log: Log): void {
  cluster.onLost(() => log.error('lease_lost'))
  cluster.onRegained(() => log.warn('lease_regained'))
  cluster.onGone((nodeId) => log.warn('node_gone', { nodeId }))
}

/** Waits for a database that is starting or not found yet, but not for one that refuses us. */
async function openWithRetries<T>(ms: number, log: Log, open: () => Promise<T>): Promise<T> {
  const until = performance.now() + ms
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await open()
    } catch (error) {
      if (!isStoreAway(error) || performance.now() >= until) throw error
      if (isFirst) log.warn('database_awaited')
      await delay(AGAIN_MS)
    }
  }
}
