import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { startLedger, type Ledger } from '../crash/ledger.ts'
import type { Episode } from '../crash/plan.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import type { PostgresServer } from '../support/postgres/start-postgres.ts'
import { proxies, type Network, type Links } from './network.ts'
import type { Deed, NodePlan } from './node-plan.ts'
import { startNode, type NodeProcess } from './node-process.ts'
import { freePort } from '../support/free-port.ts'

/** A node with the links to the database and from the others to it. */
export interface Member {
  readonly name: string
  readonly url: string
  readonly links: Links
  readonly process: NodeProcess
  /** Starts it again after it has ended; once, if several ask for it. */
  start(): Promise<void>
}

export interface Stage {
  readonly members: readonly Member[]
  readonly ledger: Ledger
  readonly home: string
  /** the database itself, reached directly */
  readonly store: Store
  deeds(): Deed[]
  close(): Promise<void>
}

export interface StageOptions {
  readonly server: Pick<PostgresServer, 'url' | 'port'>
  readonly nodes: number
  readonly faster: number
  readonly episodes: readonly Episode[]
  readonly drainMs?: number
  /** the first node stops itself when it has stored that a call starts, and before it runs it */
  readonly stopsAtStart?: boolean
  /** default: proxies */
  readonly network?: Network
}

/** Some nodes on one new database, and the world outside them. */
export async function setClusterStage(options: StageOptions): Promise<Stage> {
  const { server, nodes, faster, episodes, drainMs = 200, stopsAtStart = false, network = proxies } = options
  const home = mkdtempSync(join(tmpdir(), 'segno-cluster-'))
  const deeds = join(home, 'deeds')
  writeFileSync(deeds, '')
  const database = await freshDatabase({ server: server.url })
  const { store } = await openPostgres({
    url: database.url,
    node: { id: () => 'judge' },
    connections: 4,
    connectMs: 10_000,
    statementMs: 60_000,
  })
  const ledger = await startLedger(async ({ sessionId, callId }) => {
    const events = await patiently(() => store.read(sessionId))
    return events.some((event) => event.type === 'tool.started' && event.data.callId === callId)
  })
  const members: Member[] = []
  for (let n = 1; n <= nodes; n++) {
    const name = `node-${n}`
    const folder = join(home, name)
    mkdirSync(folder)
    const port = await freePort()
    const ends = { n, port, databasePort: () => server.port, ledgerPort: Number(new URL(ledger.url).port) }
    const links = await network(ends)
    const plan: NodePlan = {
      name,
      database: withHost(database.url, links.database),
      secret: 'a secret that all nodes of this cluster know',
      port,
      address: links.address,
      listens: links.listens,
      home: folder,
      world: home,
      ledger: withHost(ledger.url, links.ledger),
      episodes,
      faster,
      drainMs,
      stopsAtStart: stopsAtStart && n === 1,
    }
    let process = startNode(plan, deeds, links.prefix)
    let starting: Promise<void> | undefined
    const startAgain = async (): Promise<void> => {
      await process.exited
      process = startNode(plan, deeds, links.prefix)
      await process.ready
    }
    members.push({
      name,
      url: links.url,
      links,
      get process() {
        return process
      },
      start: () => (starting ??= startAgain().finally(() => (starting = undefined))),
    })
    // The first one brings the tables.
    if (n === 1) await process.ready
  }
  await Promise.all(members.map(({ process }) => process.ready))

  return {
    members,
    ledger,
    home,
    store,
    deeds: () =>
      readFileSync(deeds, 'utf8')
        .split('\n')
        .flatMap((line) => deedIn(line)),
    async close() {
      for (const { process } of members) if (!process.isGone) process.signal('SIGKILL')
      await Promise.all(members.map(({ process }) => process.exited))
      await Promise.all(members.map(({ links }) => links.close()))
      await store.close()
      await ledger.close()
      await database.drop().catch(() => {})
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const withHost = (url: string, { host, port }: { host: string; port: number }): string =>
  Object.assign(new URL(url), { host: `${host}:${port}` }).href.replace(/\/$/, '')

/** Lines may be cut by a kill. */
function deedIn(line: string): Deed[] {
  try {
    return [JSON.parse(line) as Deed]
  } catch {
    return []
  }
}

/** The database may be away for a moment. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
