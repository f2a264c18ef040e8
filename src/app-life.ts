import { later } from './lib/later.ts'
import { VERSION } from './lib/version.ts'
import { within } from './lib/within.ts'
import type { Log } from './telemetry/index.ts'

/** How long closing may take beside DRAIN_MS, whatever does not stop. */
const CLOSE_MS = 4000
/** How long readers get of it to take what there was for them. */
const READERS_MS = 1000
/** How much of it is kept for the store, which is closed last. */
const STORE_MS = 300

interface Closing {
  close(): unknown
}

/** The parts of a running Segno that must be started or ended. */
export interface Running {
  readonly coordinator: { rescue(): Promise<void>; drain(ms: number): Promise<boolean> }
  /** Starts the background work; not there where somebody only looks: then no round goes on either. */
  readonly jobs: (() => { stop(): Promise<void> }) | undefined
  readonly hub: Closing
  /** aborted when nothing new is told to anybody */
  readonly closed: AbortController
  readonly streams: { readonly taken: number }
  readonly tracing: { close(): Promise<unknown> }
  readonly toolbox: { close(): Promise<unknown> }
  readonly keys: Closing
  readonly metrics: Closing
  readonly store: { close(): Promise<void> }
  readonly log: Log
  readonly drainMs: number
}

/** Starts what goes on by itself, and ends everything in order, once. */
export function createLife(running: Running) {
  const { log } = running
  let jobs: { stop(): Promise<void> } | undefined
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

/** Ends everything within DRAIN_MS and four seconds. What does not stop, or fails, is named in the log and left. */
async function closeInTime(running: Running, stopJobs: () => Promise<unknown>): Promise<void> {
  const { log, drainMs, coordinator, closed, hub, streams, tracing, toolbox, keys, metrics, store } = running
  log.info('stopping')
  const until = performance.now() + drainMs + CLOSE_MS
  const left = (): number => Math.max(0, until - performance.now())
  const inTime = async (reason: string, ms: number, work: Promise<unknown>): Promise<void> => {
    // One that fails keeps no other from closing, the store least of all.
    const isOver = await within(ms, work).catch(() => false)
    if (!isOver) log.warn('left_behind', { reason })
  }
  if (!(await coordinator.drain(drainMs))) log.warn('left_behind', { reason: 'rounds' })
  closed.abort()
  hub.close()
  const each = left() - STORE_MS
  await Promise.all([
    inTime('jobs', each, stopJobs()),
    inTime('tracing', each, tracing.close()),
    inTime('tools', each, toolbox.close()),
    // Who was reading is told the rest: that may need the store.
    inTime('readers', Math.min(each, READERS_MS), readersGone(streams)),
  ])
  keys.close()
  metrics.close()
  await inTime('store', left(), store.close())
  log.info('stopped')
}

async function readersGone(streams: Running['streams']): Promise<void> {
  for (let looks = READERS_MS / 10; streams.taken > 0 && looks > 0; looks--) await later(10)
}
