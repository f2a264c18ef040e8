import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import { workerFile } from '../../lib/worker-file.ts'

/** Ends the process after `ms`, even if its main thread is blocked. */
export type EndWithin = (ms: number) => void

export interface HeartbeatData {
  /** one number, which the main thread keeps changing */
  readonly beats: Int32Array
  readonly tickMs: number
  /** after so many ticks without a beat the process is ended */
  readonly ticks: number
  readonly stallMs: number
}

/** Shorter ticks measure `stallMs` better, longer ones wake up less often. */
const TICKS = 20

/** A thread that ends the process if the main thread blocks for `limitMs` (0: never), to free the database. */
export function startHeartbeat(limitMs: number): EndWithin {
  // At a breakpoint it may stand still.
  const stallMs = debuggerUrl() === undefined ? limitMs : 0
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const tickMs = Math.min(stallMs / TICKS, LONGEST_TIMER_MS)
  const workerData: HeartbeatData = { beats, tickMs, ticks: TICKS, stallMs }
  const worker = new Worker(workerFile('heartbeat-worker', import.meta.url), { env: {}, execArgv: [], workerData })
  worker.unref()
  if (stallMs > 0) setInterval(() => Atomics.add(beats, 0, 1), tickMs / 2).unref()
  return (ms) => worker.postMessage(ms, [])
}
