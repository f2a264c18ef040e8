import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startServer, type ServerProcess } from '../../crash/server/server-process.ts'
import { ask, type Body } from '../../server/support/ask.ts'
import { freePort } from '../../support/free-port.ts'

/** A run of a workflow, as Segno tells it. */
export interface Run {
  readonly id: string
  readonly key: string
  readonly status: string
  readonly attempts: number
  readonly output?: unknown
  readonly code?: string
  readonly error?: string
  readonly engineRef?: string
}

/** `segno serve`, on the same folder and port each time it is started. */
export interface SegnoServer {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Body>
  /** What `segno …` prints. */
  terminal(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string>
  invoke(workflowId: string, input: object, key?: string): Promise<Run>
  run(id: string): Promise<Run>
  /** The run as soon as this holds. */
  until(id: string, holds: (run: Run) => boolean): Promise<Run>
}

const BIN = join(import.meta.dirname, '../../../src/bin.ts')
/** For a result, a restart and the time that Segno leaves to whoever it was before the restart. */
const PATIENCE_MS = 300_000

export interface SegnoOptions {
  readonly origins: readonly string[]
  readonly script: object
}

export async function makeSegno({ origins, script }: SegnoOptions): Promise<SegnoServer> {
  const home = mkdtempSync(join(tmpdir(), 'segno-with-n8n-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const scriptFile = join(home, 'script.json')
  writeFileSync(scriptFile, JSON.stringify(script))
  const env = {
    SEGNO_WORKFLOW_ORIGINS: origins.join(','),
    SEGNO_PUBLIC_URL: url,
    SEGNO_SCRIPT: scriptFile,
    SEGNO_LIMITS_WORKFLOW_MAX_MS: '15000',
    SEGNO_LIMITS_WORKFLOW_MS: '15000',
  }
  let server: ServerProcess | undefined
  const atExit = (): void => {
    server?.signal('SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', atExit)

  const asked = async (method: string, path: string, body?: unknown, headers = {}): Promise<Body> => {
    const answer = await ask(url, method, path, body, headers)
    assert(answer.status < 300, `${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const run = async (id: string): Promise<Run> => (await asked('GET', `/api/invocations/${id}`)) as unknown as Run

  return {
    url,
    run,
    ask: asked,
    async start() {
      server = await startServer({ home, port, env })
    },
    async kill() {
      await server?.kill()
    },
    async stop() {
      await server?.kill()
      process.removeListener('exit', atExit)
      atExit()
    },
    async terminal(words, more) {
      const place = { PATH: process.env['PATH'], SEGNO_HOME: home, SEGNO_PORT: String(port) }
      const args = ['--conditions=segno-source', BIN, ...words]
      return (await promisify(execFile)(process.execPath, args, { cwd: home, env: { ...place, ...more } })).stdout
    },
    async invoke(workflowId, input, key) {
      const headers = key === undefined ? {} : { 'idempotency-key': key }
      return (await asked('POST', `/api/workflows/${workflowId}/invoke`, { input }, headers)) as unknown as Run
    },
    async until(id, holds) {
      const end = Date.now() + PATIENCE_MS
      for (;;) {
        const now = await run(id)
        if (holds(now)) return now
        assert(Date.now() < end, `it stayed as it is: ${JSON.stringify(now)}`)
        await sleep(100)
      }
    },
  }
}

export const hasEnded = ({ status }: Run): boolean => status !== 'pending' && status !== 'running'
