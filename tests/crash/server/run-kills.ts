import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSegno } from '../../../src/app.ts'
import { eventually } from '../../scenarios/library/support/eventually.ts'
import { ask, logOf, newSession } from '../../server/support/ask.ts'
import { followStream, type SseClient } from '../../support/sse-client.ts'
import { freePort } from '../../support/free-port.ts'
import { storeSettings } from '../../support/store-under-test.ts'
import { throwDice } from '../dice.ts'
import { judgeStream } from './judge-stream.ts'
import { keyOf, onlyFollows, planStreams, requestOf, SCRIPT, type Plan } from './plan-streams.ts'
import { startServer, type ServerProcess } from './server-process.ts'

export interface KillOptions {
  readonly home: string
  readonly seed: number
  readonly kills: number
  readonly sessions: number
  /** the first kill does not wait until all streams are open: messages may be on their way */
  readonly early?: boolean
}

export interface KillReport {
  /** at each kill, how many clients had not got the end of their round */
  readonly struck: readonly number[]
  /** frames with an id that clients had when the server was killed */
  readonly acknowledged: number
  /** how often clients were let in, all together */
  readonly connections: number
  readonly violations: readonly string[]
}

interface Followed {
  readonly plan: Plan
  readonly sessionId: string
  readonly client: SseClient
}

const LONGEST_MS = 900
const EARLY_MS = 60

/**
 * Opens a stream for each session, kills the server while they are being answered, starts it again on the same home
 * and port, and so on. Nobody tells the clients: they come back by themselves.
 */
export async function runKills({ home, seed, kills, sessions, early = false }: KillOptions): Promise<KillReport> {
  const dice = throwDice(seed)
  let server = await start(home, sessions, await freePort())
  const { url, port } = server
  const followed: Followed[] = []
  const planned: { plan: Plan; sessionId: string }[] = []
  for (const plan of planStreams(sessions)) planned.push({ plan, sessionId: await newSession(url) })
  // All are there before anybody says anything: none is answered before the last one is asked.
  for (const { plan, sessionId } of planned) {
    if (onlyFollows(plan)) {
      const headers = { 'idempotency-key': keyOf(plan.n) }
      await ask(url, 'POST', `/api/sessions/${sessionId}/messages`, { content: plan.content }, headers)
    }
    followed.push({ plan, sessionId, client: followStream(requestOf(url, plan, sessionId)) })
  }
  const struck: number[] = []
  let acknowledged = 0
  if (!early) await eventually(() => followed.every(({ client }) => client.frames.length > 0))
  for (let kill = 0; kill < kills; kill++) {
    await sleep(dice.between(0, early && kill === 0 ? EARLY_MS : LONGEST_MS))
    const open = followed.filter(({ client }) => !client.isOver)
    const before = open.map(({ client }) => client.connections)
    struck.push(open.length)
    acknowledged = followed.flatMap(({ client }) => client.frames.filter(({ id }) => id !== undefined)).length
    await server.kill()
    server = await start(home, sessions, port)
    await eventually(() => open.every(({ client }, at) => client.isOver || client.connections > (before[at] ?? 0)))
  }
  const violations = await approveAll(url, followed)
  await Promise.all(followed.map(({ client }) => client.over))
  for (const one of followed) violations.push(...(await judge(url, one)))
  violations.push(...judgeNotes(home, followed), ...(await leave(server, home)))
  const connections = followed.reduce((sum, { client }) => sum + client.connections, 0)
  return { struck, acknowledged, connections, violations }
}

function start(home: string, sessions: number, port: number): Promise<ServerProcess> {
  mkdirSync(home, { recursive: true })
  const script = join(home, 'script.json')
  writeFileSync(script, JSON.stringify(SCRIPT))
  return startServer({
    home,
    port,
    env: { SEGNO_SCRIPT: script, SEGNO_LIMITS_MAX_ROUNDS: String(sessions), TWO_STAGE_ENABLED: 'true' },
  })
}

/** Waits until every round that asks a person says so, and answers yes. */
async function approveAll(url: string, followed: readonly Followed[]): Promise<string[]> {
  const asking = followed.filter(({ plan }) => plan.kind === 'asks')
  const pending = async () => (await ask(url, 'GET', '/api/approvals?status=pending')).body.items ?? []
  await eventually(async () => (await pending()).length >= asking.length)
  const violations: string[] = []
  for (const { id, requestId } of await pending()) {
    const { state = '', waitingFor = '' } = (await ask(url, 'GET', `/api/rounds/${requestId}`)).body
    if (state !== 'waiting' || waitingFor === '') violations.push(`a round is ${state} for "${waitingFor}"`)
    const { status } = await ask(url, 'POST', `/api/approvals/${id}`, { decision: 'approve' })
    if (status !== 202) violations.push(`an approval was answered with ${status}`)
  }
  return violations
}

async function judge(url: string, { plan, sessionId, client }: Followed): Promise<string[]> {
  const log = await logOf(url, sessionId)
  const requestId = log.find(({ type }) => type === 'round.started')?.requestId
  const fresh = followStream({
    url: `${url}/api/sessions/${sessionId}/events?dialect=${plan.dialect}&round=${requestId}`,
  })
  await fresh.over
  return judgeStream({ plan, client, log, fresh })
}

/** Everybody who was allowed to has written one line. */
function judgeNotes(home: string, followed: readonly Followed[]): string[] {
  const asked = followed.filter(({ plan }) => plan.kind === 'asks').length
  const notes = readFileSync(join(home, 'workspace', 'notes.txt'), 'utf8')
  return notes === 'a note\n'.repeat(asked) ? [] : [`${asked} rounds wrote ${JSON.stringify(notes)}`]
}

/** Lets the server go in order and looks at what it leaves behind. */
async function leave(server: ServerProcess, home: string): Promise<string[]> {
  server.signal('SIGTERM')
  const { code } = await server.exited
  const segno = await createSegno({ home, env: await storeSettings(home) })
  const { findings } = await segno.check()
  await segno.close()
  return [...(code === 0 ? [] : [`the server left with ${code}: ${server.err()}`]), ...findings]
}
