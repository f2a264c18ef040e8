import type { SandboxEnd, SandboxLimits, StopReason } from './sandbox.ts'

const SIGNAL = 128
const SIGKILL = 9
const SIGXCPU = 24
const SIGXFSZ = 25

/** What the model is told if the command failed or was stopped. */
export function endNote(end: SandboxEnd, limits: SandboxLimits, timeoutMs: number): string | undefined {
  if ('stopped' in end) return `[killed: ${stopText(end.stopped, limits, timeoutMs)}]`
  if (end.code === 0) return undefined
  const cause = causeOf(end.code, limits)
  return cause === undefined ? `[exit code ${end.code}]` : `[exit code ${end.code}: ${cause}]`
}

function stopText(why: StopReason, limits: SandboxLimits, timeoutMs: number): string {
  const texts: Readonly<Record<StopReason, string>> = {
    time: `it ran for more than ${timeoutMs / 1000} s`,
    cancelled: 'cancelled',
    output: `it printed more than ${megabytes(limits.outputBytes)}`,
    memory: `out of memory, it may use ${megabytes(limits.memoryBytes)} in all`,
    disk: `the disk of the workspace lost more than ${megabytes(limits.diskBytes)} or ${limits.diskFiles} files meanwhile`,
  }
  return texts[why]
}

/** The kernel limit that was probably exceeded. */
function causeOf(code: number, limits: SandboxLimits): string | undefined {
  const causes: Readonly<Record<number, string>> = {
    [SIGKILL]: 'a process was killed',
    [SIGXCPU]: `a process may use ${limits.cpuSeconds} s of processor time`,
    [SIGXFSZ]: `a file may have ${megabytes(limits.fileBytes)}`,
  }
  return causes[code - SIGNAL]
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`
