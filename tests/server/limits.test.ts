import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { smallDisk } from '../scenarios/input/support/small-disk.ts'
import { followStream } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession, type Answer, type Body } from './support/ask.ts'
import { lateStore } from './support/late-store.ts'
import { served } from './support/served.ts'

const holding = { scenarios: [{ when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'Done.' }] }] }

/** A refusal that says what is too much, and when to come again. */
function expectRefusal({ status, headers, body }: Answer, code: string, named: string, expected = 429): void {
  expect([status, body.code]).toEqual([expected, code])
  expect(body.detail).toContain(named)
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

verifies('COO-4', 'past the length of the queue a message gets 429 with Retry-After, and is not stored', async () => {
  const hold = gateTool('hold')
  // It takes a while to store a message: those on their way have a place in the queue too.
  const { wrap: store } = lateStore(50)
  const { url } = await served({ model: holding, tools: [hold], limits: { QUEUE_LENGTH: 2 } }, { store })
  const id = await newSession(url)
  const post = (content: string) => ask(url, 'POST', `/api/sessions/${id}/messages`, { content })
  await post('hold on')
  await hold.entered
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(post))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 202, 429, 429, 429])
  for (const answer of answers.filter(({ status }) => status === 429))
    expectRefusal(answer, 'RATE_LIMITED', '2 messages are already waiting')
  expect(await ask(url, 'GET', '/ready')).toMatchObject({ status: 503, body: { reason: 'full' } })
  hold.open()
  const ends = async () => (await logOf(url, id)).filter(({ type }) => type === 'round.ended').length
  await eventually(async () => (await ends()) === 3)
  expect((await logOf(url, id)).filter(({ type }) => type === 'message.user')).toHaveLength(3)
  expect((await ask(url, 'GET', '/ready')).status).toBe(200)
})

verifies('COO-4', 'who asks too often gets 429 with Retry-After, and nobody else does', async () => {
  const { url, segno } = await served({ limits: { RATE_PER_MINUTE: 20 } })
  const owner = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] } as const
  const keyOf = async (userId: string) =>
    `Bearer ${(await segno.keys.add(owner, { name: userId, userId, role: 'user' })).secret}`
  const [ada, eve] = [await keyOf('ada'), await keyOf('eve')]
  const list = (authorization: string) => ask(url, 'GET', '/api/sessions', undefined, { authorization })
  const answers = await Promise.all(Array.from({ length: 30 }, () => list(eve)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(10)
  for (const answer of refused) expectRefusal(answer, 'RATE_LIMITED', 'RATE_PER_MINUTE')
  expect((await list(ada)).status).toBe(200)
  expect((await ask(url, 'GET', '/api/sessions')).status).toBe(200)
  expect((await ask(url, 'GET', '/health')).status).toBe(200)
})

verifies('REL-5', 'past the number of streams one more gets 429, and is let in when another has left', async () => {
  const { url } = await served({ limits: { MAX_STREAMS: 2 } })
  const events = `/api/sessions/${await newSession(url)}/events`
  const open = () => followStream({ url: url + events, ends: () => false, comesBack: false })
  const [first, second] = [open(), open()]
  await Promise.all([first, second].map((client) => client.until(({ event }) => event === 'session.created')))
  const more = () => ask(url, 'GET', events, undefined, { accept: 'text/event-stream' })
  expectRefusal(await more(), 'RATE_LIMITED', 'MAX_STREAMS')
  expect((await ask(url, 'GET', events)).status).toBe(200)
  first.leave()
  const third = followStream({ url: url + events, ends: ({ event }) => event === 'session.created' })
  await third.over
  expect(third.faults).toEqual([])
  second.leave()
})

/** Sends a body of so many bytes without saying before how long it is. */
async function postInPieces(url: string, bytes: number): Promise<{ status: number | undefined; body: Body }> {
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  const answered = new Promise<{ status: number | undefined; body: Body }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', (response) => {
      const { statusCode: status } = response
      text(response).then((body) => resolve({ status, body: JSON.parse(body) as Body }), reject)
    })
  })
  sending.write('{"content":"')
  for (let left = bytes; left > 0; left -= 1000) sending.write('x'.repeat(1000))
  sending.end('"}')
  return answered
}

test('a body that is too large gets 413, whether or not it says so itself, and nothing is stored', async () => {
  const { url } = await served({ limits: { BODY_BYTES: 10_000 } })
  const id = await newSession(url)
  const path = `/api/sessions/${id}/messages`
  const told = await ask(url, 'POST', path, { content: 'x'.repeat(20_000) })
  const untold = await postInPieces(url + path, 20_000)
  for (const { status, body } of [told, untold]) expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
  expect(told.body.detail).toContain('BODY_BYTES')
  expect(await logOf(url, id)).toHaveLength(1)
  expect((await ask(url, 'POST', path, { content: 'x'.repeat(5000) })).status).toBe(202)
})

verifies(
  ['REL-5', 'REL-1'],
  'on a full disk the server says so, answers messages with 503, stores nothing of them, and heals by itself',
  async ({ skip }) => {
    const disk = smallDisk() ?? skip('a small disk can only be mounted by root')
    const { url, segno } = await served({ home: disk.folder, durability: 'full' })
    const id = await newSession(url)
    const path = `/api/sessions/${id}/messages`
    const ready = () => ask(url, 'GET', '/ready')
    const before = await logOf(url, id)
    expect((await ready()).status).toBe(200)
    disk.fill()
    const big = { content: `refused ${'x'.repeat(50_000)}` }
    for (const refused of [
      await ask(url, 'POST', path, big, { 'idempotency-key': 'the same' }),
      await ask(url, 'POST', `${path}?wait=1`, big),
      await ask(url, 'POST', path, big, { accept: 'text/event-stream' }),
      await ask(url, 'POST', '/api/chat/messages', big),
      await ask(url, 'POST', '/api/sessions', { title: 'x'.repeat(200) }),
    ]) {
      expectRefusal(refused, 'STORE_UNAVAILABLE', 'Nothing was stored', 503)
      expect(refused.body.detail).not.toContain(disk.folder)
    }
    await eventually(async () => (await ready()).status === 503)
    expect((await ready()).body).toEqual({ ready: false, reason: 'store' })
    // What can be read is still read.
    expect(await logOf(url, id)).toEqual(before)
    disk.makeRoom()
    await eventually(async () => (await ready()).status === 200)
    expect(await logOf(url, id)).toEqual(before)
    const again = await ask(url, 'POST', `${path}?wait=1`, { content: 'hi' }, { 'idempotency-key': 'the same' })
    expect([again.status, again.body.content]).toEqual([200, 'Echo: hi'])
    const { body } = await ask(url, 'GET', '/api/sessions')
    expect(body.items).toHaveLength(1)
    expect(JSON.stringify(await logOf(url, id))).not.toContain('refused')
    expect((await segno.check()).findings).toEqual([])
  },
)
