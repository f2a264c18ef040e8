import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import { workerFile } from '../../lib/worker-file.ts'

export interface Heartbeat {
  /** From now on the process ends within `ms`, whatever becomes of its main thread. */
  endWithin(ms: number): void
}

export interface HeartbeatData {
  /** one number, which the main thread changes for as long as it goes round */
  readonly beats: Int32Array
  readonly tickMs: number
  /** so many ticks without a beat are the end */
  readonly ticks: number
  readonly stallMs: number
}

/** The shorter a tick, the nearer to `stallMs` the end; the longer, the less is woken up for nothing. */
const TICKS = 20

/**
 * A thread of its own that ends this process if its main thread stands still for `limitMs` (0: however long): it answers
 * nobody then, not even who asks it to stop, and keeps the database from a process that would.
 */
export function startHeartbeat(limitMs: number): Heartbeat {
  // At a breakpoint it stands still because somebody wants it to.
  const stallMs = debuggerUrl() === undefined ? limitMs : 0
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const tickMs = Math.min(stallMs / TICKS, LONGEST_TIMER_MS)
  const workerData: HeartbeatData = { beats, tickMs, ticks: TICKS, stallMs }
  const worker = new Worker(workerFile('heartbeat-worker', import.meta.url), { env: {}, execArgv: [], workerData })
  worker.unref()
  if (stallMs > 0) setInterval(() => Atomics.add(beats, 0, 1), tickMs / 2).unref()
  return { endWithin: (ms) => worker.postMessage(ms, []) }
}
