import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ClusterView } from '../../src/cluster/index.ts'
import { signedHeaders } from '../../src/cluster/sign.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { judgeStream } from '../crash/server/judge-stream.ts'
import type { Plan } from '../crash/server/plan-streams.ts'
import type { Script } from '../../src/model/index.ts'
import { ask, logOf, newSession } from '../server/support/ask.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { CLUSTER_SECRET, startNode, type TestNode } from '../support/postgres/start-nodes.ts'
import { followStream, type SseClient } from '../support/sse-client.ts'
import { withClient } from '../support/postgres/with-client.ts'
import { verifies } from '../support/verifies.ts'
import { freePort } from '../support/free-port.ts'
import { startNode as startProcess } from './following/start-node.ts'

const DIALECTS: readonly Plan['dialect'][] = ['native', 'phased', 'chat', 'turns']
const WAIT = { timeout: 30_000, interval: 20 }
function script(delayMs: number): Script {
  const pace = { deltaChars: 6, delayMs }
  const calls = [{ name: 'calculator', args: { expression: '6 * 7' } }]
  const turns = [
    { text: 'First I look. '.repeat(5), calls, ...pace },
    { text: 'Then I tell you all of it, in small pieces. '.repeat(5), ...pace },
  ]
  return { scenarios: [{ when: '^tell', turns }] }
}
const SCRIPTED = script(3)

async function database(): Promise<string> {
  const { url, giveBack } = await reusedDatabase()
  onTestFinished(giveBack)
  return url
}

/** Readers of every dialect at a node. */
function readers(
  { url }: { url: string },
  sessionId: string,
  each = 1,
): { dialect: Plan['dialect']; client: SseClient }[] {
  return DIALECTS.flatMap((dialect) =>
    Array.from({ length: each }, () => ({
      dialect,
      client: followStream({ url: `${url}/api/sessions/${sessionId}/events?dialect=${dialect}` }),
    })),
  )
}

/** Fails unless they got exactly what there is. */
async function expectAll(node: { url: string }, sessionId: string, all: ReturnType<typeof readers>): Promise<void> {
  await Promise.all(all.map(({ client }) => client.over))
  const log = await logOf(node.url, sessionId)
  const requestId = log.find(({ type }) => type === 'round.started')?.requestId
  for (const { dialect, client } of all) {
    const url = `${node.url}/api/sessions/${sessionId}/events?dialect=${dialect}&round=${requestId}`
    const fresh = followStream({ url })
    await fresh.over
    const plan: Plan = { n: 0, kind: 'talks', dialect, way: dialect, content: '' }
    expect(judgeStream({ plan, client, log, fresh })).toEqual([])
  }
}

const deltas = ({ frames }: SseClient): number =>
  frames.filter(({ event }) => ['delta', 'message.delta', 'turn'].includes(event)).length

/** Requests of nodes to each other for what a session says. */
function watchRequests() {
  const spy = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => spy.mockRestore())
  return (): number => spy.mock.calls.filter(([url]) => JSON.stringify(url).includes('/internal/follow')).length
}

async function view({ url }: TestNode): Promise<ClusterView> {
  return (await (await fetch(`${url}/api/cluster`)).json()) as ClusterView
}

const seen = (node: TestNode, count: number) =>
  expect.poll(async () => (await view(node)).nodes.length, WAIT).toBe(count)

/** Waits until the node that created a session no longer owns it, so that readers see one owner: who answers. */
async function released(database: string, sessionId: string): Promise<void> {
  await withClient(database, async (client) => {
    const free = 'SELECT 1 FROM heads WHERE session_id = $1 AND owner IS NULL'
    await expect.poll(async () => (await client.query(free, [sessionId])).rowCount, WAIT).toBe(1)
  })
}

describe('who reads at another node than the owner', () => {
  verifies(['COO-1', 'REL-7'], 'gets text and events as they come, in every dialect, over one connection', async () => {
    const url = await database()
    const requests = watchRequests()
    const one = await startNode({ database: url, model: SCRIPTED })
    const two = await startNode({ database: url, model: SCRIPTED })
    await seen(two, 2)
    const { id } = await one.segno.createSession()
    await released(url, id)
    const all = readers(two, id, 3)
    for (const { client } of all) await expect.poll(() => client.connections, WAIT).toBe(1)
    const { requestId } = await one.segno.rounds.send(LOCAL_OWNER, id, 'tell me')
    expect(await two.segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
    await Promise.all(all.map(({ client }) => client.over))
    expect(requests()).toBe(1)
    await expectAll(two, id, all)
    for (const { client } of all) expect(deltas(client)).toBeGreaterThan(5)
  })

  test('and said something there hears the answer, too', async () => {
    const url = await database()
    const one = await startNode({ database: url, model: SCRIPTED })
    const two = await startNode({ database: url, model: SCRIPTED })
    await seen(two, 2)
    const { id } = await one.segno.createSession()
    const { completion } = await one.segno.streamRequest(id, 'hello')
    await completion
    const reader = followStream({
      url: `${two.url}/api/sessions/${id}/messages`,
      body: { content: 'tell me' },
      headers: { 'idempotency-key': 'once' },
    })
    await reader.over
    expect([deltas(reader) > 5, reader.faults]).toEqual([true, []])
  })

  test('sees what is stored where the owner cannot be reached, and the operator sees that it cannot', async () => {
    const url = await database()
    const one = await startNode({ database: url, model: SCRIPTED })
    const two = await startNode({ database: url, model: SCRIPTED, env: { SEGNO_NODE_URL: 'http://127.0.0.1:9' } })
    await seen(one, 2)
    const { self } = await view(two)
    const { id } = await two.segno.createSession()
    const all = readers(one, id)
    await two.segno.rounds.send(LOCAL_OWNER, id, 'tell me')
    await expectAll(one, id, all)
    expect(all.flatMap(({ client }) => client.frames).filter(({ event }) => event === 'delta')).toHaveLength(2)
    expect((await view(one)).unreachable).toEqual([self])
  })

  verifies(['COO-1', 'REL-7'], 'sees the text taken back and the rest when the owner is killed', async () => {
    const url = await database()
    const home = mkdtempSync(join(tmpdir(), 'segno-following-'))
    const port = await freePort()
    // It would take long over its answer.
    const plan = { database: url, port, home, faster: 10, maxRounds: 10, script: script(500) }
    const owner = await startProcess(plan)
    onTestFinished(async () => {
      owner.signal('SIGKILL')
      await owner.exited
      rmSync(home, { recursive: true, force: true })
    })
    const one = await startNode({
      database: url,
      model: SCRIPTED,
      env: { SEGNO_CLUSTER_SECRET: 'nodes that follow each other' },
    })
    await seen(one, 2)
    const id = await newSession(owner.url)
    const all = readers(one, id)
    await ask(owner.url, 'POST', `/api/sessions/${id}/messages`, { content: 'tell me' })
    for (const { client } of all) await expect.poll(() => deltas(client), WAIT).toBeGreaterThan(3)
    owner.signal('SIGKILL')
    await expectAll(one, id, all)
    const [native, phased] = all.map(({ client }) => client.frames.map(({ event }) => event))
    for (const events of [native, phased])
      expect(events?.filter((event) => ['reset', 'round.resumed'].includes(event))).toEqual(['reset', 'round.resumed'])
  })
})

test('what a session says is told to nodes only, and to as many as may be', async () => {
  const node = await startNode({ database: await database(), limits: { MAX_NODE_STREAMS: 1 } })
  const { self } = await view(node)
  const asking = new AbortController()
  const get = (owner: string, secret = CLUSTER_SECRET) => {
    const path = `/internal/follow?session=s&owner=${owner}`
    const headers = signedHeaders(secret, 'some-node', Date.now(), { method: 'GET', path, body: '' })
    return fetch(node.url + path, { headers, signal: asking.signal })
  }
  expect((await get(self, 'another secret that is long')).status).toBe(404)
  expect((await get('who-was-here-before')).status).toBe(409)
  const first = await get(self)
  expect(first.status).toBe(200)
  const full = await get(self)
  expect([full.status, await full.text()]).toEqual([429, expect.stringContaining('MAX_NODE_STREAMS')])
  await first.body?.cancel()
  await expect.poll(async () => (await get(self)).status, WAIT).toBe(200)
  asking.abort()
})
