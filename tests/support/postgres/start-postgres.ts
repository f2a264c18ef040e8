import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaries, runAs } from './binaries.ts'
import { dataIn, makeFolder, removeFolder, sweepFolders } from './folders.ts'
import { freePort } from '../free-port.ts'

const USER = 'postgres'
const PASSWORD = 'open-sesame'
const START_MS = 60_000

export interface PostgresOptions {
  /** default false: a crash of the machine may lose data, a crash of the server does not */
  readonly fsync?: boolean
  /** default: a free one */
  readonly port?: number
  /** settings of the server, as in postgresql.conf */
  readonly settings?: Readonly<Record<string, string>>
}

export interface PostgresServer {
  /** of its database `postgres`; `freshDatabase` makes others */
  readonly url: string
  readonly port: number
  /** of the process that the others are children of */
  readonly pid: number
  /** everything it wrote to its log */
  log(): string
  /** Ends it and removes its data. */
  stop(): Promise<void>
  /** Ends it from one moment to the next, as a power cut would; `restart` recovers. */
  kill9(): Promise<void>
  /** Starts it again on its data and its port; one that runs is shut down first. */
  restart(): Promise<void>
}

/** A real server on this machine, reachable from here only. It ends with this process, or when the next one starts. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  sweepFolders()
  const folder = makeFolder()
  const atExit = (): void => removeFolder(folder)
  process.once('exit', atExit)
  const user = runAs()
  const { initdb, postgres } = findBinaries(folder)
  const data = dataIn(folder)
  const logFile = join(folder, 'log')
  makeData(initdb, data, user)
  writeFileSync(logFile, '')

  let server: ChildProcess | undefined
  let port = options.port ?? (await freePort())

  const log = (): string => readFileSync(logFile, 'utf8')
  const url = (): string => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`

  async function start(): Promise<void> {
    const until = Date.now() + START_MS
    for (;;) {
      const started = spawnServer(postgres, data, port, settingsOf(options), logFile, user)
      server = started
      while (isRunning(started) && Date.now() < until) {
        if (await answers(url())) return
        await sleep(20)
      }
      if (Date.now() >= until) throw new Error(`PostgreSQL did not start:\n${log().slice(-2_000)}`)
      // What a killed server left lives on for a moment and holds its memory; a port can be lost to somebody else.
      if (/Address already in use/.test(log()) && options.port === undefined) port = await freePort()
      await sleep(50)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || !isRunning(server)) return
    server.ref()
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  await start()
  return {
    get url() {
      return url()
    },
    get port() {
      return port
    },
    get pid() {
      return server?.pid ?? 0
    },
    log,
    async stop() {
      // Nobody needs the data any more, so it need not be written down.
      await end('SIGQUIT')
      process.removeListener('exit', atExit)
      removeFolder(folder)
    },
    kill9: () => end('SIGKILL'),
    async restart() {
      await end('SIGINT')
      await start()
    },
  }
}

/** Sorted as people sort (ICU), as most databases are: SQL that means the order of bytes has to say so. */
function makeData(initdb: string, data: string, user: ReturnType<typeof runAs>): void {
  mkdirSync(data, { mode: 0o700 })
  const passwordFile = `${data}-password`
  writeFileSync(passwordFile, `${PASSWORD}\n`)
  chmodSync(passwordFile, 0o644)
  if (user.uid !== undefined && user.gid !== undefined) chownSync(data, user.uid, user.gid)
  execFileSync(
    initdb,
    [
      `--pgdata=${data}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--set=scram_iterations=1',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--no-sync',
    ],
    { ...user, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } },
  )
}

function settingsOf({ fsync = false, settings = {} }: PostgresOptions): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '400',
    ...(!fsync && { fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' }),
    ...settings,
  }
}

function spawnServer(
  postgres: string,
  data: string,
  port: number,
  settings: Record<string, string>,
  logFile: string,
  user: ReturnType<typeof runAs>,
): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(logFile, 'a')
  // In a group of its own: an interrupt at the terminal is for the tests, which end it when they are done.
  const server = spawn(postgres, ['-D', data, '-p', `${port}`, ...flags], {
    ...user,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, LC_ALL: 'C' },
  })
  closeSync(log)
  server.on('error', () => undefined)
  server.unref()
  return server
}

const isRunning = (server: ChildProcess): boolean =>
  server.pid !== undefined && server.exitCode === null && server.signalCode === null

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
