import { later } from './lib/later.ts'
import { within } from './lib/within.ts'
import type { Log } from './telemetry/index.ts'

/** How long closing may take beside DRAIN_MS, whatever does not stop. */
const CLOSE_MS = 4000
/** How long readers get of it to take what there was for them. */
const READERS_MS = 1000
/** How much of it is kept for the store, which is closed last. */
const STORE_MS = 300

/** The parts of a running Segno that must be ended, in the order in which that is done. */
export interface Running {
  /** Lets rounds finish; false if some were left. */
  drain(ms: number): Promise<boolean>
  /** Nothing new is told to anybody. */
  silence(): void
  readonly streams: { readonly taken: number }
  /** what ends on its own, side by side, by the name it has in the log */
  readonly beside: Readonly<Record<'jobs' | 'tracing' | 'tools', () => Promise<unknown>>>
  /** what ends at once */
  atOnce(): void
  readonly store: { close(): Promise<void> }
}

/** Ends everything within DRAIN_MS and four seconds. What does not stop, or fails, is named in the log and left. */
export async function closeInTime(running: Running, drainMs: number, log: Log): Promise<void> {
  log.info('stopping')
  const until = performance.now() + drainMs + CLOSE_MS
  const left = (): number => Math.max(0, until - performance.now())
  const inTime = async (reason: string, ms: number, work: Promise<unknown>): Promise<void> => {
    // One that fails keeps no other from closing, the store least of all.
    const isOver = await within(ms, work).catch(() => false)
    if (!isOver) log.warn('left_behind', { reason })
  }
  if (!(await running.drain(drainMs))) log.warn('left_behind', { reason: 'rounds' })
  running.silence()
  const each = left() - STORE_MS
  await Promise.all([
    ...Object.entries(running.beside).map(([name, end]) => inTime(name, each, end())),
    // Who was reading is told the rest: that may need the store.
    inTime('readers', Math.min(each, READERS_MS), readersGone(running.streams)),
  ])
  running.atOnce()
  await inTime('store', left(), running.store.close())
  log.info('stopped')
}

async function readersGone(streams: Running['streams']): Promise<void> {
  for (let looks = READERS_MS / 10; streams.taken > 0 && looks > 0; looks--) await later(10)
}
