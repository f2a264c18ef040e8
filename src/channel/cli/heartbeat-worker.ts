import { write } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import type { HeartbeatData } from './heartbeat.ts'

/** How long to try to write to stderr, which may itself be blocked. */
const SAY_MS = 500
const STANDARD_ERROR = 2

const { beats, tickMs, ticks, stallMs } = workerData as HeartbeatData

/** Counts ticks instead of time, so that a sleeping machine or a changed clock does no harm. */
function watch(): void {
  let seen = Atomics.load(beats, 0)
  let still = 0
  setInterval(() => {
    const now = Atomics.load(beats, 0)
    still = now === seen ? still + 1 : 0
    seen = now
    if (still === ticks) end(`The main thread stood still for ${stallMs / 1000} s (limit STALL_MS)`)
  }, tickMs)
}

/** Like a crash: nothing that was acknowledged is lost. */
function end(why: string): void {
  const kill = (): void => void process.kill(process.pid, 'SIGKILL')
  const said = `segno: ${why}; the process is ended. The next start goes on where the log ends.\n`
  const unheard = ' Process 1 of a container cannot end itself: start it under an init, such as tini.\n'
  setTimeout(kill, SAY_MS)
  write(STANDARD_ERROR, process.pid === 1 ? said + unheard : said, kill)
}

if (stallMs > 0) watch()
parentPort?.once('message', (ms: number) => {
  setTimeout(() => end('Something did not stop in time (limit DRAIN_MS)'), Math.min(ms - SAY_MS, LONGEST_TIMER_MS))
})
