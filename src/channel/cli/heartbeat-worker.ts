import { write } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import type { HeartbeatData } from './heartbeat.ts'

/** Whoever reads what is said here may be what everything waits for. */
const SAY_MS = 500
const STANDARD_ERROR = 2

const { beats, tickMs, ticks, stallMs } = workerData as HeartbeatData

/** Ticks are counted, not hours: a machine that slept, or a clock that was set, is one tick at most. */
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

/** Only a signal ends the process from here; the log has everything that was promised, as after any crash. */
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
