import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { verifies } from '../support/verifies.ts'
import { cutProxy, type CutProxy } from '../support/postgres/cut-proxy.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { startNode, type TestNode } from '../support/postgres/start-nodes.ts'

async function database(): Promise<string> {
  const { url, giveBack } = await reusedDatabase()
  onTestFinished(giveBack)
  return url
}

async function throughProxy(url: string): Promise<CutProxy> {
  const proxy = await cutProxy(url)
  onTestFinished(() => proxy.close())
  return proxy
}

async function asking(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const ready = async ({ url }: TestNode): Promise<number> => (await fetch(`${url}/ready`)).status
const soon = { timeout: 20_000, interval: 50 }

const metric = async ({ url }: TestNode, name: string): Promise<string | undefined> =>
  (await (await fetch(`${url}/metrics`)).text())
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.split(' ')[1]

const post = ({ url }: TestNode, sessionId: string, content: string): Promise<Response> =>
  fetch(`${url}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': content },
    body: JSON.stringify({ content }),
  })

/** What was said in a session, by its log. */
async function said({ url }: TestNode, sessionId: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/sessions/${sessionId}/messages`)
  const { items } = (await answer.json()) as { items: { role: string; content: { text?: string }[] }[] }
  return items.filter(({ role }) => role === 'user').map(({ content }) => content[0]?.text ?? '')
}

verifies(
  'REL-7',
  'a database that goes away for long is not ready, gives up what it did, and heals by itself; nothing acknowledged is lost',
  async () => {
    const proxy = await throughProxy(await database())
    const node = await startNode({ database: proxy.url, limits: { DB_CONNECT_MS: 500 } })
    const before = node.segno.nodes(LOCAL_OWNER).self
    const { id } = await node.segno.createSession()
    const first = await node.segno.rounds.send(LOCAL_OWNER, id, 'before')
    expect(await node.segno.completion(id, first.requestId)).toMatchObject({ finishReason: 'complete' })

    proxy.down()
    await vi.waitFor(async () => expect(await metric(node, 'segno_lease_left_seconds')).toBe('0'), soon)
    expect(await ready(node)).toBe(503)
    const during = await post(node, id, 'during')
    expect(during.status).toBe(503)
    expect(await during.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' })

    proxy.up()
    await vi.waitFor(async () => expect(await ready(node)).toBe(200), soon)
    expect(node.segno.nodes(LOCAL_OWNER).self).not.toBe(before)
    const after = await node.segno.rounds.send(LOCAL_OWNER, id, 'after')
    expect(await node.segno.completion(id, after.requestId)).toMatchObject({ finishReason: 'complete' })
    expect(await said(node, id)).toEqual(['before', 'after'])
  },
)

test('connections that break for a moment lose and double nothing for who sends again', async () => {
  const proxy = await throughProxy(await database())
  const node = await startNode({ database: proxy.url })
  const before = node.segno.nodes(LOCAL_OWNER).self
  const { id } = await node.segno.createSession()
  const texts = ['one', 'two', 'three']
  for (const text of texts) {
    proxy.cut()
    await vi.waitFor(async () => {
      const { status } = await post(node, id, text)
      proxy.cut()
      expect(status).toBe(202)
    }, soon)
  }
  await vi.waitFor(async () => expect(await said(node, id)).toEqual(texts), soon)
  expect(node.segno.nodes(LOCAL_OWNER).self).toBe(before)
})

test('what somebody else holds for longer than a statement may take is stored once, when it can be', async () => {
  const url = await database()
  const node = await startNode({ database: url, limits: { DB_STATEMENT_MS: 1000 } })
  const { id } = await node.segno.createSession()
  const other = await asking(url)
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM heads WHERE session_id = $1 FOR UPDATE', [id])
  const sending = node.segno.rounds.send(LOCAL_OWNER, id, 'held up').catch((error: unknown) => error)
  setTimeout(() => void other.query('COMMIT'), 1500)
  const sent = await sending
  if (sent instanceof Error) {
    expect(sent).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await said(node, id)).toEqual([])
  } else {
    const { requestId } = sent as { requestId: string }
    expect(await node.segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
    expect(await said(node, id)).toEqual(['held up'])
  }
})

test('a server that makes every transaction serializable is in nobody’s way', async () => {
  const made = await freshDatabase()
  onTestFinished(() => made.drop())
  const sql = await asking(made.url)
  await sql.query(`ALTER DATABASE ${made.name} SET default_transaction_isolation = 'serializable'`)
  const [one, other] = [await startNode({ database: made.url }), await startNode({ database: made.url })]
  const { id } = await one.segno.createSession()
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? one : other).segno.rounds.send(LOCAL_OWNER, id, `message ${i}`)),
  )
  for (const { requestId } of sent)
    expect(await one.segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
  expect((await said(other, id)).toSorted((a, b) => a.localeCompare(b))).toEqual(
    Array.from({ length: 6 }, (_, i) => `message ${i}`),
  )
})

test('a node whose clock is a day off says so once, and stores the time of the database', async () => {
  const DAY = 86_400_000
  const lines: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  onTestFinished(() => write.mockRestore())
  const clock = { now: () => Date.now() + DAY, ticks: () => performance.now() }
  const node = await startNode({
    database: await database(),
    env: { SEGNO_LOG: 'warn' },
    parts: { cluster: { clock } },
  })
  const { createdAt } = await node.segno.createSession()
  expect(Math.abs(createdAt - Date.now())).toBeLessThan(60_000)
  await vi.waitFor(() => expect(node.segno.nodes(LOCAL_OWNER).nodes).toHaveLength(1), soon)
  write.mockRestore()
  expect(lines.filter((line) => line.includes('clock_off'))).toHaveLength(1)
})

test('who waits on another node for the end of a round hears of it, also if the database is away just then', async () => {
  const url = await database()
  const proxy = await throughProxy(url)
  const hold = gateTool()
  const model = { scenarios: [{ when: '^busy', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] }] }
  const owner = await startNode({ database: url, builtInTools: false, tools: [hold], model })
  const other = await startNode({ database: proxy.url, limits: { DB_CONNECT_MS: 500 } })
  const { id } = await owner.segno.createSession()
  const { requestId } = await owner.segno.rounds.send(LOCAL_OWNER, id, 'busy')
  await hold.entered
  const waiting = other.segno.completion(id, requestId)
  // It has read what there is, with four queries, when questions asked later are answered with forty.
  for (let i = 0; i < 10; i++) await said(other, id)
  proxy.down()
  hold.open()
  expect(await owner.segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
  await vi.waitFor(async () => expect(await ready(other)).toBe(503), soon)
  proxy.up()
  expect(await waiting).toMatchObject({ finishReason: 'complete', content: 'There.' })
})
