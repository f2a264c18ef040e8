import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SandboxOptions } from '../../../src/tool/sandbox/detect-sandbox.ts'
import type { NoSandbox, Sandbox, SandboxEnd } from '../../../src/tool/sandbox/sandbox.ts'

export type Setup = SandboxOptions

export interface Request {
  readonly id: number
  readonly command: string
  readonly folder: string
  readonly timeoutMs: number
}

interface Ran {
  readonly end: SandboxEnd
  readonly output: Buffer
  readonly text: string
  readonly ms: number
}

interface Running {
  /** it has printed something */
  readonly started: Promise<void>
  readonly ended: Promise<Ran>
  cancel(): void
}

export interface Runner {
  readonly pid: number
  readonly found: Pick<Sandbox, 'kind' | 'memory'> | NoSandbox
  start(command: string, folder: string, timeoutMs?: number): Running
  run(command: string, folder: string, timeoutMs?: number): Promise<Ran>
  /** as a crash does */
  kill(): Promise<void>
  close(): Promise<void>
}

interface Told {
  readonly id: number
  readonly started?: true
  readonly end?: SandboxEnd
  readonly output?: string
  readonly error?: string
}

/** Starts a process that has a sandbox; `around` comes before its command line, to start it as another user, say. */
export async function startRunner(
  setup: Setup,
  around: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Runner> {
  const node = [process.execPath, '--no-warnings', fileURLToPath(new URL('runner.ts', import.meta.url))]
  const [program, ...args] = [...around, ...node, JSON.stringify(setup)]
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
  })
  const waiting = new Map<number, { started: () => void; told: (told: Told) => void }>()
  const lines = createInterface({ input: child.stdout })
  const exited = once(child, 'exit')
  const gone = exited.then(([code]) => {
    throw new Error(`the runner ended with ${code} before it said anything`)
  })
  const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string]
  gone.catch(() => {})
  lines.on('line', (text) => {
    const told = JSON.parse(text) as Told
    if (told.started) waiting.get(told.id)?.started()
    else waiting.get(told.id)?.told(told)
  })
  let ids = 0
  const start = (command: string, folder: string, timeoutMs = 10_000): Running => {
    const id = ids++
    const began = performance.now()
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<Ran>()
    waiting.set(id, {
      started: started.resolve,
      told({ end, output = '', error }) {
        started.resolve()
        if (end === undefined) return ended.reject(new Error(error))
        const bytes = Buffer.from(output, 'base64')
        ended.resolve({ end, output: bytes, text: bytes.toString(), ms: performance.now() - began })
      },
    })
    child.stdin.write(`${JSON.stringify({ id, command, folder, timeoutMs } satisfies Request)}\n`)
    return {
      started: started.promise,
      ended: ended.promise,
      cancel: () => void child.stdin.write(`${JSON.stringify({ cancel: id })}\n`),
    }
  }
  return {
    pid: child.pid ?? 0,
    found: JSON.parse(line) as Runner['found'],
    start,
    run: (command, folder, timeoutMs) => start(command, folder, timeoutMs).ended,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async close() {
      child.stdin.end()
      await exited
    },
  }
}
