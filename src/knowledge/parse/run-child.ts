import { type ChildProcess, spawn } from 'node:child_process'
import { workerFile } from '../../lib/worker-file.ts'
import { DocumentFault, type DocumentLimits } from './document-fault.ts'
import type { ChildJob } from './read-document.ts'
import { watchMemory } from './watch-memory.ts'
import { fileURLToPath } from 'node:url'
import type { Socket } from 'node:net'

/** What a Node without any work maps, besides what it reads. */
const OWN_BYTES = 512 * 1024 * 1024
/** The part of the memory that is for JavaScript objects; the rest is for bytes. */
const HEAP_SHARE = 0.75
/** How a process ends that gets no more memory, or that the system chose to end. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']

/**
 * Becomes the program, with limits; a second process waits for the end of Segno and then kills it. Where a limit cannot
 * be set, a lower one holds already or the system has none.
 */
const START = `ulimit -c 0 2>/dev/null
if [ "$1" -gt 0 ]; then ulimit -d "$1" 2>/dev/null; fi
shift
{ read -r word <&3 || kill -s KILL $$; } </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-`

interface Run {
  readonly job: ChildJob
  readonly bytes: Uint8Array
  readonly limits: DocumentLimits
  readonly signal?: AbortSignal | undefined
  /** takes what the child writes; it is ended if this throws */
  take(output: Buffer): void
}

/** Runs a child over one document and resolves when nothing of it is left; throws what ended it. */
export async function runChild({ job, bytes, limits, signal, take }: Run): Promise<void> {
  signal?.throwIfAborted()
  const child = startChild(job, limits)
  const ended = endOf(child)
  let failure: { readonly error: unknown } | undefined
  const stop = (error: unknown): void => {
    failure ??= { error }
    child.stdout?.removeAllListeners('data').resume()
    kill(child)
  }
  const onAbort = (): void => stop(signal?.reason)
  const timer = setTimeout(() => stop(new DocumentFault('time')), limits.parseMs)
  const unwatch = watchMemory(child.pid, limits.memoryBytes, () => stop(new DocumentFault('memory')))
  signal?.addEventListener('abort', onAbort, { once: true })
  child.stdout?.on('data', (output: Buffer) => {
    try {
      take(output)
    } catch (error) {
      stop(error)
    }
  })
  // A child that ends early does not read all.
  child.stdin?.on('error', () => {}).end(bytes)
  try {
    const end = await ended
    if (failure !== undefined) throw failure.error
    if (OUT_OF_MEMORY.includes(end.signal)) throw new DocumentFault('memory')
    if (end.code === 126 || end.code === 127) throw new Error('The program that reads documents could not be started.')
    if (end.code !== 0) throw new DocumentFault('broken')
  } finally {
    clearTimeout(timer)
    unwatch()
    signal?.removeEventListener('abort', onAbort)
  }
}

function startChild(job: ChildJob, { memoryBytes }: DocumentLimits): ChildProcess {
  const dataKb = process.platform === 'linux' ? Math.ceil((memoryBytes + OWN_BYTES) / 1024) : 0
  const node = [
    process.execPath,
    `--max-old-space-size=${Math.max(32, Math.floor((memoryBytes * HEAP_SHARE) / 1024 / 1024))}`,
    // Nothing is written, no program started, and no text becomes code.
    '--permission',
    '--allow-fs-read=*',
    '--disallow-code-generation-from-strings',
    fileURLToPath(workerFile('parse-child', import.meta.url)),
    JSON.stringify(job),
  ]
  return spawn('/bin/sh', ['-c', START, 'sh', String(dataKb), ...node], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    // One group to kill, with the process that waits for our end.
    detached: true,
  })
}

/** Resolves when the child, the process beside it and all pipes are gone. */
function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
  const leash = child.stdio[3] as Socket | null | undefined
  leash?.on('error', () => {}).resume()
  child.once('exit', () => kill(child))
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('error', reject)
  })
}

/** The group is there as long as one of its processes is, so its number means no other. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
