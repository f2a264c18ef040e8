import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../support/compiled.ts'
import { storeSettings } from '../../support/store-under-test.ts'

const BIN = fileURLToPath(new URL('../../../src/bin.ts', import.meta.url))

export interface ServerOptions {
  readonly home: string
  /** default 0: any free one */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** where it looks for a config file; default: its home */
  readonly cwd?: string
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A real server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly exited: Promise<Exit>
  out(): string
  err(): string
  signal(signal: NodeJS.Signals): void
  /** Kills it at once; resolves when it is gone. */
  kill(): Promise<Exit>
}

const READY = /^Segno is at (http:\/\/\S+)/m

/** Resolves when the server says where it is; rejects with all it said if it ends first. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { child, exited, out, err } = launch(options, await storeSettings(options.home))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = READY.exec(out()) ?? []
      if (found !== undefined) resolve(found)
    })
    void exited.then(({ code }) => reject(new Error(`the server ended with ${code}: ${out()}${err()}`)))
  })
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    exited,
    out,
    err,
    signal: (signal) => void child.kill(signal),
    kill() {
      child.kill('SIGKILL')
      return exited
    },
  }
}

/** A server that is expected to refuse to start: what it said, and its exit code. */
export async function failedStart(options: ServerOptions): Promise<Exit & { said: string }> {
  const { child, exited, out, err } = launch(options, await storeSettings(options.home))
  child.stdout.on('data', () => {
    if (READY.test(out())) child.kill('SIGKILL')
  })
  return { ...(await exited), said: out() + err() }
}

function launch({ home, port = 0, env = {}, cwd = home }: ServerOptions, store: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--conditions=segno-source', BIN, 'serve'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...COMPILED,
      SEGNO_HOME: home,
      SEGNO_PORT: String(port),
      ...store,
      ...env,
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  return { child, exited, out: () => stdout, err: () => stderr }
}
