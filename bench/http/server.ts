import { fork, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Place } from '../place.ts'
import { recordBytes } from '../recorded-bytes.ts'
import type { Durability } from '../subject.ts'
import { W1 } from '../workloads.ts'
import type { ProbeWish, Usage } from './probe.ts'
import { script } from './script.ts'
import { asking } from './talk.ts'

/** Segno or the floor, in a process of its own. */
export interface Server {
  readonly port: number
  usage(wish?: ProbeWish): Promise<Usage>
  /** ids of new sessions; the floor has none and takes any */
  sessions(count: number): Promise<string[]>
  stop(): Promise<void>
}

/** What is compared, each at rest while it is not its turn. */
export interface Servers {
  readonly normal: Server
  readonly full: Server
  readonly floor: Server
}

const BIN = join(import.meta.dirname, '../../src/bin.ts')
const FLOOR = fileURLToPath(import.meta.resolve('./floor-server.ts'))
const PROBE = join(import.meta.dirname, 'probe.ts')

/** The command as anyone starts it; only the limits that would refuse this much load are raised. */
export function startSegno(place: Place, durability: Durability): Promise<Server> {
  return startServe(place.folder(`http-${durability}`), { SEGNO_PORT: '0', SEGNO_DURABILITY: durability })
}

/** The same with other settings. */
export async function startServe(home: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const file = join(home, 'script.json')
  writeFileSync(file, JSON.stringify(script))
  const server = await start(BIN, ['serve'], home, {
    SEGNO_HOME: home,
    SEGNO_SCRIPT: file,
    SEGNO_LIMITS_MAX_ROUNDS: '200',
    SEGNO_LIMITS_MAX_COORDINATORS: '400',
    SEGNO_LIMITS_RATE_PER_MINUTE: '1000000000',
    ...env,
  })
  return { ...server, sessions: (count) => newSessions(server.port, count) }
}

export async function startFloor(place: Place): Promise<Server> {
  const { commits } = await recordBytes(place, W1)
  const folder = place.folder('http-floor')
  writeFileSync(join(folder, 'commits.json'), JSON.stringify(commits))
  const server = await start(FLOOR, [folder], folder, {})
  return { ...server, sessions: async (count) => Array.from({ length: count }, () => 'any') }
}

async function start(file: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const profile = process.env['BENCH_PROFILE']
  const child = fork(file, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    execArgv: [
      '--conditions=segno-source',
      '--expose-gc',
      '--import',
      PROBE,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ask = asking<ProbeWish, Usage>(child)
  return {
    port: await listening(child),
    usage: (wish: ProbeWish = 'look') => ask(wish),
    stop: () => stop(child),
  }
}

/** Both say where they are in their first line. */
async function listening(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('no output to read')
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (port === undefined) continue
    child.stdout.resume()
    return Number(port)
  }
  throw new Error('the server stopped before it listened')
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

async function newSessions(port: number, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(50, count - ids.length) }, () => newSession(port))
    ids.push(...(await Promise.all(some)))
  }
  return ids
}

async function newSession(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { id } = (await response.json()) as { id?: string }
  if (id === undefined) throw new Error(`no session was made: status ${response.status}`)
  return id
}
