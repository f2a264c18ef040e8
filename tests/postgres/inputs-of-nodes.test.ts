import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { textOf } from '../../src/contract/message.ts'
import type { SegnoOptions } from '../../src/segno.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { problemOf } from '../scenarios/library/support/problem-of.ts'
import { probe } from '../support/probe-tool.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { startNode, type TestNode } from '../support/postgres/start-nodes.ts'
import { said } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

const script = (tool: string) => ({
  scenarios: [{ when: '^busy', turns: [{ calls: [{ name: tool }] }, { text: 'There.' }] }],
})

/** Two whole nodes on one database. `second`: what is different there. */
async function twoNodes(options: SegnoOptions = {}, second: SegnoOptions = {}): Promise<[TestNode, TestNode]> {
  const { url: database, giveBack } = await reusedDatabase()
  onTestFinished(giveBack)
  const common = { builtInTools: false, model: { scenarios: [] }, ...options }
  return [await startNode({ database, ...common }), await startNode({ database, ...common, ...second })]
}

/** A round on the first node that is inside its tool. */
async function busy(node: TestNode, entered: Promise<void>) {
  const { id } = await node.segno.createSession()
  const { requestId } = await node.segno.rounds.send(LOCAL_OWNER, id, 'busy')
  await entered
  return { id, requestId }
}

const eventsOf = ({ segno }: TestNode, id: string) => segno.sessions.events(LOCAL_OWNER, id, { after: 0, limit: 1000 })

verifies(['REL-7', 'COO-4'], 'a session is busy on every node, and cancelled from any', async () => {
  const hold = gateTool()
  const [one, two] = await twoNodes({ tools: [hold], model: script('hold') })
  const { id, requestId } = await busy(one, hold.entered)
  expect((await problemOf(two.segno.rounds.send(LOCAL_OWNER, id, 'now', { onBusy: 'reject' }))).code).toBe('BUSY')
  const queued = await two.segno.rounds.send(LOCAL_OWNER, id, 'later')
  expect(queued.state).toBe('queued')
  await two.segno.rounds.cancel(LOCAL_OWNER, id, requestId)
  expect(await two.segno.completion(id, requestId)).toMatchObject({ finishReason: 'cancelled' })
  expect(await two.segno.completion(id, queued.requestId)).toMatchObject({ content: 'Echo: later' })
})

verifies('REL-7', 'an owner that cannot be reached finds by itself what was stored for it', async () => {
  const hold = gateTool()
  const cutOff = { env: { SEGNO_NODE_URL: 'http://127.0.0.1:9' } }
  const [one, two] = await twoNodes({ tools: [hold], model: script('hold'), ...cutOff })
  const { id, requestId } = await busy(one, hold.entered)
  await two.segno.rounds.cancel(LOCAL_OWNER, id, requestId)
  expect(await one.segno.completion(id, requestId)).toMatchObject({ finishReason: 'cancelled' })
})

verifies(['REL-7', 'COO-4'], 'a message to a node without a free slot is answered by one that has one', async () => {
  const hold = gateTool()
  const [one] = await twoNodes({ tools: [hold], model: script('hold'), limits: { MAX_ROUNDS: 1 } })
  await busy(one, hold.entered)
  const { id } = await one.segno.createSession()
  const sent = await one.segno.rounds.send(LOCAL_OWNER, id, 'hello')
  expect(await one.segno.completion(id, sent.requestId)).toMatchObject({ content: 'Echo: hello' })
  hold.open()
})

verifies(
  ['REL-3', 'REL-7'],
  'messages sent to both nodes at once are all answered, once and one after the other',
  async () => {
    const [one, two] = await twoNodes()
    const { id } = await one.segno.createSession()
    const texts = Array.from({ length: 16 }, (_, i) => `message ${i}`)
    const sends = texts.map((text, i) => (i % 2 ? one : two).segno.rounds.send(LOCAL_OWNER, id, text))
    const sent = await Promise.all(sends)
    const answers = await Promise.all(sent.map(({ requestId }) => two.segno.completion(id, requestId)))
    expect(answers.map(({ content }) => content)).toEqual(texts.map((text) => `Echo: ${text}`))
    const log = await eventsOf(two, id)
    expect(
      said(log, 'message.user')
        .map(({ content }) => textOf(content))
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(texts.toSorted((a, b) => a.localeCompare(b)))
    const marks = log.flatMap(({ type }) => (type === 'round.started' || type === 'round.ended' ? [type] : []))
    expect(marks).toEqual(texts.flatMap(() => ['round.started', 'round.ended']))
  },
)

verifies(['REL-3', 'REL-7'], 'the same message sent to both nodes at once makes one round', async () => {
  const [one, two] = await twoNodes()
  const { id } = await one.segno.createSession()
  const post = ({ url }: TestNode) =>
    fetch(`${url}/api/sessions/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({ content: 'hi' }),
    })
  const answers = await Promise.all([one, two, one, two].map(post))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { requestId: string }[]
  expect(new Set(bodies.map(({ requestId }) => requestId)).size).toBe(1)
  await two.segno.completion(id, bodies[0]?.requestId ?? '')
  expect(said(await eventsOf(one, id), 'round.started')).toHaveLength(1)
})

verifies('REL-7', 'what one node asks is answered on the other', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const [one, two] = await twoNodes({ tools: [mail], model: script('mail') })
  const { id } = await one.segno.createSession()
  const { requestId } = await one.segno.rounds.send(LOCAL_OWNER, id, 'busy')
  const asked = () => two.segno.rounds.approvals(LOCAL_OWNER)
  await expect.poll(async () => (await asked()).length, { timeout: 10_000 }).toBe(1)
  const [approval] = await asked()
  await two.segno.rounds.decide(LOCAL_OWNER, approval?.id ?? '', { decision: 'approve' })
  expect(await two.segno.completion(id, requestId)).toMatchObject({ content: 'There.' })
  expect(mail.runs).toHaveLength(1)
})
