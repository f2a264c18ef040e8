import { delay } from './lib/delay.ts'
import { VERSION } from './lib/version.ts'
import { within } from './lib/within.ts'
import type { Log } from './telemetry/index.ts'

/** How long closing may take besides DRAIN_MS. */
const CLOSE_MS = 4000
/** Of that, for readers to receive the rest. */
const READERS_MS = 1000
/** Of that, for leaving the cluster. */
const LEAVE_MS = 1000
/** Of that, for the store, which is closed last. */
const STORE_MS = 300

interface Closing {
  close(): unknown
}

/** The parts of a running Segno that must be started or closed. */
export interface Running {
  readonly coordinator: { rescue(): Promise<void>; drain(ms: number): Promise<boolean> }
  /** Starts the background work; missing in passive mode, where no round goes on either. */
  readonly jobs: (() => { stop(): Promise<unknown> }) | undefined
  readonly hub: Closing
  /** aborted when readers get nothing new */
  readonly closed: AbortController
  readonly streams: { readonly taken: number }
  readonly tracing: { close(): Promise<unknown> }
  readonly toolbox: { close(): Promise<unknown> }
  readonly keys: Closing
  readonly metrics: Closing
  /** Leaves the cluster; with `isIdle` no work is left here, and others may take its sessions at once. */
  readonly cluster: { leave(isIdle: boolean): Promise<unknown> }
  readonly store: { close(): Promise<void> }
  readonly log: Log
  readonly drainMs: number
}

/** Starts background work, and closes everything once and in order. */
export function createLife(running: Running) {
  const { log } = running
  let jobs: { stop(): Promise<unknown> } | undefined
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= closeInTime(running, async () => jobs?.stop()))
  return {
    async start(): Promise<void> {
      try {
        jobs = running.jobs?.()
        if (jobs) await running.coordinator.rescue()
      } catch (error) {
        await close()
        throw error
      }
      log.info('ready', { version: VERSION, pid: process.pid })
    },
    close,
    get isClosing() {
      return closing !== undefined
    },
  }
}

/** Closes everything within DRAIN_MS and four seconds; whatever does not stop or fails is logged and left. */
async function closeInTime(running: Running, stopJobs: () => Promise<unknown>): Promise<void> {
  const { log, drainMs, coordinator, closed, hub, streams, tracing, toolbox, keys, metrics, store, cluster } = running
  log.info('stopping')
  const until = performance.now() + drainMs + CLOSE_MS
  const left = (): number => Math.max(0, until - performance.now())
  const inTime = async (reason: string, ms: number, work: Promise<unknown>): Promise<void> => {
    // A part that fails must not keep others from closing, least of all the store.
    const isOver = await within(ms, work).catch(() => false)
    if (!isOver) log.warn('left_behind', { reason })
  }
  const isOver = await coordinator.drain(drainMs)
  if (!isOver) log.warn('left_behind', { reason: 'rounds' })
  // If work is left, other nodes must evict this one, so that they treat its calls as doubtful.
  await inTime('cluster', LEAVE_MS, cluster.leave(isOver))
  closed.abort()
  hub.close()
  const each = left() - STORE_MS
  await Promise.all([
    inTime('jobs', each, stopJobs()),
    inTime('tracing', each, tracing.close()),
    inTime('tools', each, toolbox.close()),
    // Readers get the rest, which may need the store.
    inTime('readers', Math.min(each, READERS_MS), readersGone(streams)),
  ])
  keys.close()
  metrics.close()
  await inTime('store', left(), store.close())
  log.info('stopped')
}

async function readersGone(streams: Running['streams']): Promise<void> {
  for (let looks = READERS_MS / 10; streams.taken > 0 && looks > 0; looks--) await delay(10)
}
