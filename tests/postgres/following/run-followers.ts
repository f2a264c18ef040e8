import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { throwDice } from '../../crash/dice.ts'
import { judgeStream } from '../../crash/server/judge-stream.ts'
import { keyOf, onlyFollows, planStreams, requestOf, type Plan } from '../../crash/server/plan-streams.ts'
import { eventually } from '../../scenarios/library/support/eventually.ts'
import { ask, logOf, newSession } from '../../server/support/ask.ts'
import { followStream, type SseClient, type SseRequest } from '../../support/sse-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startNode, type FollowingNode } from './start-node.ts'

export interface FollowersOptions {
  readonly database: string
  readonly seed: number
  /** each with a disruption of its own, one after the other */
  readonly waves: number
  /** in a wave; each session has two */
  readonly readers: number
  readonly faster?: number
  onWave?(report: FollowersReport): void
}

export interface FollowersReport {
  waves: number
  readers: number
  /** readers whose session was owned by another node than theirs while they read */
  wrong: number
  /** connections broken off by the reader */
  cuts: number
  /** how often readers were let in */
  connections: number
  resets: number
  frames: number
  takeovers: number
  /** rounds that were taken over too often: on a machine that is too busy, leases end by themselves */
  givenUp: number
  readonly strikes: Record<Strike, number>
  readonly violations: string[]
}

/** What happens to an owner: it is killed, it stands still for longer than its lease, it says goodbye. */
type Strike = 'kill' | 'stop' | 'goodbye'
const STRIKES: readonly Strike[] = ['kill', 'stop', 'kill', 'goodbye']

interface Reader {
  readonly plan: Plan
  readonly sessionId: string
  readonly client: SseClient
  /** what it got on which connection */
  readonly trail: readonly string[]
}

/**
 * Three nodes on one database. All readers are at the first one, which has a single slot, so that the other two own
 * nearly all sessions. Readers lose their connections at random, and in every wave an owner is struck.
 */
export async function runFollowers(options: FollowersOptions): Promise<FollowersReport> {
  const { database, seed, waves, readers, faster = 10, onWave } = options
  const dice = throwDice(seed)
  const folder = mkdtempSync(join(tmpdir(), 'segno-following-'))
  const db = new Client({ connectionString: database })
  await db.connect()
  const report: FollowersReport = {
    waves: 0,
    readers: 0,
    wrong: 0,
    cuts: 0,
    connections: 0,
    resets: 0,
    frames: 0,
    takeovers: 0,
    givenUp: 0,
    strikes: { kill: 0, stop: 0, goodbye: 0 },
    violations: [],
  }
  const nodes: FollowingNode[] = []
  async function start(at: number, port: number): Promise<void> {
    const home = join(folder, String(at))
    mkdirSync(home, { recursive: true })
    nodes[at] = await startNode({ database, port, home, faster, maxRounds: at === 0 ? 1 : 200 })
  }
  try {
    for (let at = 0; at < 3; at++) await start(at, await freePort())
    for (let wave = 0; wave < waves; wave++) {
      const struck = 1 + (wave % 2)
      const strike = STRIKES[wave % STRIKES.length] as Strike
      report.strikes[strike] += 1
      await runWave(wave, struck, strike)
      report.waves += 1
      onWave?.(report)
    }
  } finally {
    for (const node of nodes) node.signal('SIGKILL')
    await Promise.all(nodes.map(({ exited }) => exited))
    await db.end()
    rmSync(folder, { recursive: true, force: true })
  }
  return report

  async function runWave(wave: number, struck: number, strike: Strike): Promise<void> {
    const [front, ...owners] = nodes as [FollowingNode, FollowingNode, FollowingNode]
    const plans = planStreams(Math.ceil(readers / 2)).map((plan) => planOf(plan, wave))
    const ids = await Promise.all(plans.map((_, at) => newSession((owners[at % 2] as FollowingNode).url)))
    const followed = plans.flatMap((plan, at): Reader[] => {
      const sessionId = ids[at] as string
      const dialect = DIALECTS[at % DIALECTS.length] as Plan['dialect']
      const url = `${front.url}/api/sessions/${sessionId}/events?dialect=${dialect}`
      return [
        { plan, sessionId, ...watched(requestOf(front.url, plan, sessionId)) },
        { plan: { ...plan, dialect, way: `GET ${dialect}` }, sessionId, ...watched({ url }) },
      ]
    })
    await Promise.all(
      plans.map(async (plan, at) => {
        if (onlyFollows(plan)) await send((owners[at % 2] as FollowingNode).url, ids[at] as string, plan)
      }),
    )
    const isOver = new AbortController()
    const owned = noteOwners(front, followed, isOver.signal)
    await Promise.race([
      eventually(() => followed.every(({ client }) => client.frames.length > 0)),
      sleep(PATIENCE_MS, undefined, { ref: false }),
    ])
    const cutting = cut(followed, isOver.signal)
    await sleep(dice.between(0, 1200))
    await hit(struck, strike)
    const stuck = await patiently(followed)
    isOver.abort()
    await cutting
    report.wrong += await owned
    for (const reader of followed.filter(({ sessionId }) => !stuck.has(sessionId)))
      report.violations.push(...(await judge(front.url, reader)))
    for (const { client } of followed) {
      client.leave()
      report.connections += client.connections
      report.cuts += client.broken
      report.frames += client.frames.length
      report.resets += client.frames.filter(({ event }) => event === 'reset').length
    }
    report.readers += followed.length
  }

  /** Looks again and again which sessions another node owns than the one where all readers are. */
  async function noteOwners(front: FollowingNode, followed: readonly Reader[], signal: AbortSignal): Promise<number> {
    const elsewhere = new Set<string>()
    while (!signal.aborted) {
      const { rows } = await db.query<{ session_id: string }>(
        'SELECT session_id FROM heads JOIN nodes ON nodes.id = owner WHERE url <> $1 AND session_id = ANY($2)',
        [front.url, followed.filter(({ client }) => !client.isOver).map(({ sessionId }) => sessionId)],
      )
      for (const row of rows) elsewhere.add(row.session_id)
      await sleep(100, undefined, { signal }).catch(() => {})
    }
    return followed.filter(({ sessionId }) => elsewhere.has(sessionId)).length
  }

  async function hit(at: number, strike: Strike): Promise<void> {
    const node = nodes[at] as FollowingNode
    if (strike === 'stop') {
      node.signal('SIGSTOP')
      // Longer than its lease, so that others have its sessions when it goes on.
      await sleep(20_000 / faster)
      return node.signal('SIGCONT')
    }
    node.signal(strike === 'kill' ? 'SIGKILL' : 'SIGTERM')
    await node.exited
    await start(at, node.plan.port)
  }

  /** One after the other loses its connection, at any moment. */
  async function cut(followed: readonly Reader[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(dice.between(1, 40))
      const { client } = dice.oneOf(followed)
      if (client.isOver) continue
      client.lose()
    }
  }

  async function judge(url: string, { plan, sessionId, client, trail }: Reader): Promise<string[]> {
    const log = await logOf(url, sessionId)
    const requestId = log.find(({ type }) => type === 'round.started')?.requestId
    if (!plan.way.startsWith('GET ') || onlyFollows(plan) || plan.way === 'GET chats')
      report.takeovers += log.filter(({ type }) => type === 'round.resumed').length
    const round = `${url}/api/sessions/${sessionId}/events?dialect=${plan.dialect}&round=${requestId}`
    const fresh = followStream({ url: round })
    await fresh.over
    const isGivenUp = log.at(-1)?.data['finishReason'] === 'error'
    if (isGivenUp) report.givenUp += 1
    const wrong = judgeStream({ plan, client, log, fresh }).filter(
      (what) => !isGivenUp || !what.endsWith('the round ended with error'),
    )
    if (wrong.length === 0) return []
    const types = log.map(({ seq, type, at }) => `${seq} ${type} ${at}`)
    return [[...wrong.slice(0, 3), sessionId, ...types, ...trail].join('\n')]
  }

  /** Waits until all have what they came for; sessions whose readers still wait after a long time. */
  async function patiently(followed: readonly Reader[]): Promise<Set<string>> {
    const all = Promise.all(followed.map(({ client }) => client.over))
    await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })])
    const late = followed.filter(({ client }) => !client.isOver)
    for (const { plan, sessionId, client } of late) {
      report.violations.push(`session ${plan.n} (${plan.way}): stuck after ${client.lastId}, ${sessionId}`)
      client.leave()
    }
    return new Set(late.map(({ sessionId }) => sessionId))
  }
}

function watched(request: SseRequest): Pick<Reader, 'client' | 'trail'> {
  const trail: string[] = []
  const client: SseClient = followStream({
    ...request,
    onFrame({ id = '-', event, data }) {
      const { offset = data.data?.offset ?? '', turn = data.data?.turn ?? '', text = '' } = data
      trail.push(
        `${new Date().toISOString()} ${client.connections}: ${id} ${event} turn ${turn} ${offset}+${text.length}`,
      )
    },
  })
  return { client, trail }
}

const PATIENCE_MS = 120_000
const DIALECTS: readonly Plan['dialect'][] = ['native', 'phased', 'chat', 'turns']

/** What a person would have to answer is left to other tests. */
function planOf(given: Plan, wave: number): Plan {
  const n = wave * 1000 + given.n
  const kind = given.kind === 'asks' ? 'counts' : given.kind
  return { ...given, n, kind, content: `${kind} number ${n}, 100% ünïcode 🎈` }
}

async function send(url: string, sessionId: string, { n, content }: Plan): Promise<void> {
  await ask(url, 'POST', `/api/sessions/${sessionId}/messages`, { content }, { 'idempotency-key': keyOf(n) })
}
