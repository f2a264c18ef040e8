import { ENVIRONMENT } from './layout.ts'
import { quote } from './quote.ts'
import type { SandboxLimits } from './sandbox.ts'

/** A second clock, in case Segno hangs: this much later than its own. */
const LATER_SECONDS = 5

/**
 * The last lines before the command, inside: limits that the kernel keeps for every process of it, and a lower
 * priority than Segno's. It gets a session of its own, so that a signal to its group reaches nobody outside. `around` is
 * put before the command.
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
    // messages in queues, locked memory and waiting signals: memory that belongs to no process
    '-q': 0,
    '-l': 64,
    '-i': 256,
  }
  const environment = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  // Where this machine allows less already, that stays.
  return `bound() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" -le "$2" ]; }
${Object.entries(bounds)
  .map(([which, most]) => `bound ${which} ${most} || { echo "ulimit ${which} failed" >&2; exit 1; }`)
  .join('\n')}
exec 2>/dev/null
nice -n 10 setsid timeout -s KILL ${seconds} ${[...around, 'env', '-i', ...environment].map(quote).join(' ')} bash -c "$1" bash 2>&1`
}
