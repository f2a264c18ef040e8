import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Group } from './control-group.ts'
import type { SandboxEnd, SandboxLimits, SandboxRun, StopReason } from './sandbox.ts'
import { watch } from './watch.ts'

export const SET_UP_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
/** How long killed processes may take to end. */
const GRACE_MS = 2_000
const LONGEST_PROBLEM = 500

/** Starts `script` in the folder and yields what it prints; see `Sandbox.run`. */
export async function* runCommand(
  script: string,
  { folder, signal, timeoutMs }: SandboxRun,
  limits: SandboxLimits,
  group?: Group,
): AsyncGenerator<Uint8Array, SandboxEnd> {
  if (signal.aborted) return { stopped: 'cancelled' }
  const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: folder,
    env: { PATH: SET_UP_PATH, LANG: 'C' },
    // Nothing is written to stdin; it is open as long as Segno lives.
    stdio: 'pipe',
    // A new session: no terminal to type into, and one group to kill.
    detached: true,
  })
  const ended = endOf(child)
  const pid = await pidOf(child)
  let stopped: StopReason | undefined
  const stop = (why: StopReason): void => {
    stopped ??= why
    kill(child)
  }
  const cancel = (): void => stop('cancelled')
  const timer = setTimeout(() => stop('time'), timeoutMs)
  signal.addEventListener('abort', cancel, { once: true })
  const unwatch = watch({ pid, folder, limits, group }, stop)
  try {
    let room = limits.outputBytes
    for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
      if (room > 0) yield bytes.subarray(0, room)
      room -= bytes.length
      if (room < 0) {
        stop('output')
        break
      }
    }
    const end = await ended
    if (await group?.isPast()) stopped ??= 'memory'
    return stopped === undefined ? end() : { stopped }
  } finally {
    clearTimeout(timer)
    unwatch()
    signal.removeEventListener('abort', cancel)
    kill(child)
    await ended
  }
}

async function pidOf(child: ChildProcess): Promise<number> {
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('The sandbox could not be started.')
  return child.pid
}

/** Resolves at the end; the returned function says how it ended, or throws if the command never started. */
async function endOf(child: ChildProcess): Promise<() => SandboxEnd> {
  let problem = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    problem = (problem + text).slice(0, LONGEST_PROBLEM)
  })
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('close', (...end) => resolve(end))
    child.once('error', () => resolve([null, null]))
  })
  return () => {
    // Only the setup before the command writes there.
    if (problem !== '') throw new Error(`The sandbox could not be set up: ${problem.trim()}`)
    return { code: code ?? 128 + constants.signals[signal ?? 'SIGKILL'] }
  }
}

/**
 * Kills the group outside, and with it the first process in the sandbox and all others. A process that cannot end yet may
 * hold the pipes, so they are closed here after a while.
 */
function kill(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
  const timer = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, GRACE_MS)
  child.once('close', () => clearTimeout(timer))
}
