import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-port.ts'

export interface N8n {
  readonly url: string
  readonly port: number
  /** of its public API, with only what the documents say that Segno needs */
  readonly apiKey: string
  /** What the program of n8n says to these words, such as `import:workflow`. */
  command(...words: string[]): Promise<string>
  importWorkflows(workflows: readonly object[]): Promise<void>
  start(): Promise<void>
  kill(): Promise<void>
  /** A request to its public API. */
  api(method: string, path: string, body?: object): Promise<{ status: number; body: Json }>
  remove(): Promise<void>
  said(): string
}

type Json = Readonly<Record<string, unknown>>

const START_MS = 180_000
const PERSON = { email: 'owner@example.org', firstName: 'Olu', lastName: 'Owner', password: 'Open-sesame-1' }
/** Everything with which n8n would ask or tell somebody else; what is left of it finds no way out. */
const QUIET = {
  HTTPS_PROXY: 'http://127.0.0.1:9',
  N8N_DISABLED_MODULES: 'mcp-registry,community-packages',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
}

/** An n8n with a folder and a port of its own. */
export async function makeN8n(program: string): Promise<N8n> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-n8n-'))
  const port = await freePort()
  const brokerPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    ...QUIET,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_SECURE_COOKIE: 'false',
    N8N_LOG_LEVEL: 'info',
    WEBHOOK_URL: url,
    DB_SQLITE_POOL_SIZE: '2',
  }
  let child: ChildProcess | undefined
  let said = ''
  let keys = { ours: '', apiKey: '' }

  // Its task runner is a process of the same group.
  const killGroup = (): void => void (isAlive(child) && process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const atExit = (): void => {
    killGroup()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', atExit)

  async function kill(): Promise<void> {
    if (!isAlive(child)) return
    const ended = once(child, 'exit')
    killGroup()
    await ended
  }

  async function command(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env, cwd: folder })
    return stdout
  }

  return {
    url,
    port,
    get apiKey() {
      return keys.apiKey
    },
    command,
    async importWorkflows(workflows) {
      const file = join(folder, 'workflows.json')
      writeFileSync(file, JSON.stringify(workflows))
      const text = await command('import:workflow', `--input=${file}`)
      // It ends with 0 whatever happened.
      if (!text.includes(`Successfully imported ${workflows.length} workflows`)) throw new Error(text)
    },
    async start() {
      const started = spawn(process.execPath, [program, 'start'], {
        env,
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text))
      await ready(url, started, () => said)
      if (keys.ours === '') keys = await makeKeys(url)
    },
    kill,
    async api(method, path, body) {
      const headers = { 'x-n8n-api-key': keys.ours, 'content-type': 'application/json' }
      const sent = body && { body: JSON.stringify(body) }
      const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent })
      return { status: response.status, body: (await response.json()) as Json }
    },
    async remove() {
      await kill()
      process.removeListener('exit', atExit)
      atExit()
    },
    said: () => said,
  }
}

const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null

async function ready(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`n8n did not start:\n${said().slice(-4000)}`)
    const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
}

/** Makes the owner, a key of the public API for the test, and one for Segno. */
async function makeKeys(url: string): Promise<{ ours: string; apiKey: string }> {
  const ask = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', cookie }
    const response = await fetch(`${url}/rest${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`n8n answered ${path} with ${response.status}: ${await response.text()}`)
    return response
  }
  const owner = await ask('/owner/setup', PERSON)
  const cookie = owner.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const key = async (label: string, scopes: readonly string[]): Promise<string> => {
    const made = await ask('/api-keys', { label, scopes, expiresAt: null }, cookie)
    return ((await made.json()) as { data: { rawApiKey: string } }).data.rawApiKey
  }
  return { ours: await key('test', [...SCOPES, ...OUR_SCOPES]), apiKey: await key('Segno', SCOPES) }
}

const SCOPES = ['execution:read', 'execution:stop']
const OUR_SCOPES = ['workflow:read', 'workflow:activate', 'workflow:deactivate', 'credential:create']
