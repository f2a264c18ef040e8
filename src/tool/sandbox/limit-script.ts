import { ENVIRONMENT } from './layout.ts'
import { quote } from './quote.ts'
import type { SandboxLimits } from './sandbox.ts'

/** In case Segno hangs, a second timer fires this much later. */
const LATER_SECONDS = 5

/**
 * Sets the kernel's limits for each process and a low priority, then runs the command after the words of `around`, in its
 * own session, so that a signal to its group reaches nobody outside.
 */
export function limitScript(limits: SandboxLimits, timeoutMs: number, around: readonly string[] = []): string {
  const kb = (bytes: number): number => Math.floor(bytes / 1024)
  const seconds = Math.ceil(timeoutMs / 1000) + LATER_SECONDS
  const bounds: Readonly<Record<string, number>> = {
    '-c': 0,
    '-d': kb(limits.processBytes),
    '-f': kb(limits.fileBytes),
    '-n': limits.openFiles,
    '-t': limits.cpuSeconds,
    '-u': limits.processes,
    // message queues, locked memory and pending signals: memory that belongs to no process
    '-q': 0,
    '-l': 64,
    '-i': 256,
  }
  const environment = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  // A lower limit of this machine is kept.
  return `bound() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" -le "$2" ]; }
${Object.entries(bounds)
  .map(([which, most]) => `bound ${which} ${most} || { echo "ulimit ${which} failed" >&2; exit 1; }`)
  .join('\n')}
exec 2>/dev/null
nice -n 10 setsid timeout -s KILL ${seconds} ${[...around, 'env', '-i', ...environment].map(quote).join(' ')} bash -c "$1" bash 2>&1`
}
