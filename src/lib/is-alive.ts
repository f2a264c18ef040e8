import { readFileSync } from 'node:fs'

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, as a text to compare; undefined where the system does not tell. */
export function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name may contain spaces and brackets, so counting starts after the last bracket.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTED]
    return ticks === undefined ? undefined : `${boot} ${ticks}`
  } catch {
    return undefined
  }
}

/** `starttime` of proc(5), counted from the state on. */
const STARTED = 19
