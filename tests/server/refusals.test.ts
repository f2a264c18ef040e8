import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { verifies } from '../support/verifies.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { ask, logOf, newSession } from './support/ask.ts'
import { served, type Served } from './support/served.ts'

const SSE = { accept: 'text/event-stream' }
const holding = (tool = gateTool('hold')) => ({
  tool,
  options: {
    tools: [tool],
    model: { scenarios: [{ when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'Done.' }] }] },
  },
})

/** A stream that stays open until the test ends. */
async function listen(url: string, sessionId: string, headers = {}): Promise<() => Promise<void>> {
  const response = await fetch(`${url}/api/sessions/${sessionId}/events`, { headers: { ...SSE, ...headers } })
  expect(response.status).toBe(200)
  return async () => response.body?.cancel()
}

const keyFor = async ({ segno }: Served, userId: string): Promise<{ authorization: string }> => {
  const { secret } = await segno.keys.add(LOCAL_OWNER, { name: userId, userId })
  return { authorization: `Bearer ${secret}` }
}

describe('what is refused was not done:', () => {
  for (const [way, path, headers] of [
    ['a stream', 'messages', SSE],
    ['a stream of turns', 'request', {}],
    ['an answer', 'messages?wait=1', {}],
  ] as const) {
    verifies('REL-1', `a message that asks for ${way} when there is no place for it is not sent`, async () => {
      const { url } = await served({ limits: { MAX_STREAMS: 1 } })
      const id = await newSession(url)
      const leave = await listen(url, id)
      const answer = await ask(url, 'POST', `/api/sessions/${id}/${path}`, { content: 'hi' }, headers)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5'])
      expect((await logOf(url, id)).map(({ type }) => type)).toEqual(['session.created'])
      await leave()
    })
  }

  test('a HEAD opens no stream and sends no message', async () => {
    const { url, segno } = await served()
    const id = await newSession(url)
    const head = await fetch(`${url}/api/chats/${id}/stream?message=hi`, { method: 'HEAD' })
    expect(head.status).toBe(400)
    expect((await segno.sessions.events(LOCAL_OWNER, id)).map(({ type }) => type)).toEqual(['session.created'])
  })
})

describe('one does not shut out the others:', () => {
  verifies('COO-4', 'who has no stream gets one when another has them all', async () => {
    const it = await served({ limits: { MAX_STREAMS: 2 } })
    const id = await newSession(it.url)
    const leave = [await listen(it.url, id), await listen(it.url, id)]
    expect((await ask(it.url, 'GET', `/api/sessions/${id}/events`, undefined, SSE)).status).toBe(429)
    const ada = await keyFor(it, 'ada')
    const { body } = await ask(it.url, 'POST', '/api/sessions', {}, ada)
    leave.push(await listen(it.url, body.id ?? '', ada))
    await Promise.all(leave.map((one) => one()))
  })

  verifies('COO-4', 'who has nothing waiting may wait when another has filled the queue', async () => {
    const { tool, options } = holding()
    const it = await served({ ...options, limits: { MAX_ROUNDS: 1, QUEUE_LENGTH: 2 } })
    const id = await newSession(it.url)
    const say = (content: string, headers = {}, session = id) =>
      ask(it.url, 'POST', `/api/sessions/${session}/messages`, { content }, headers)
    await say('hold on')
    await tool.entered
    expect(
      (await Promise.all([say('a'), say('b'), say('c')])).map(({ status }) => status).toSorted((a, b) => a - b),
    ).toEqual([202, 202, 429])
    const ada = await keyFor(it, 'ada')
    const hers = (await ask(it.url, 'POST', '/api/sessions', {}, ada)).body.id ?? ''
    expect((await say('hello', ada, hers)).status).toBe(202)
    expect((await say('and again', ada, hers)).status).toBe(429)
    tool.open()
  })
})

describe('while a round runs', () => {
  async function running() {
    const { tool, options } = holding()
    const it = await served(options)
    const id = await newSession(it.url)
    await ask(it.url, 'POST', `/api/sessions/${id}/messages`, { content: 'hold on' })
    await tool.entered
    return { url: it.url, id, tool }
  }

  test('a new title is answered, and read from then on', async () => {
    const { url, id, tool } = await running()
    const changed = await ask(url, 'PATCH', `/api/sessions/${id}`, { title: 'Renamed' })
    expect([changed.status, changed.body['title']]).toEqual([200, 'Renamed'])
    expect((await ask(url, 'GET', `/api/sessions/${id}`)).body['title']).toBe('Renamed')
    tool.open()
  })

  test('a session that is put away takes no more messages', async () => {
    const { url, id, tool } = await running()
    expect((await ask(url, 'POST', `/api/sessions/${id}/archive`)).body['archived']).toBe(true)
    const message = await ask(url, 'POST', `/api/sessions/${id}/messages`, { content: 'too late' })
    expect([message.status, message.body.code]).toEqual([409, 'CONFLICT'])
    tool.open()
  })

  test('a fresh context is promised with 202, and comes when the round has ended', async () => {
    const { url, id, tool } = await running()
    expect((await ask(url, 'POST', `/api/sessions/${id}/clear`)).status).toBe(202)
    expect((await logOf(url, id)).some(({ type }) => type === 'context.cleared')).toBe(false)
    tool.open()
    await expect.poll(async () => (await logOf(url, id)).map(({ type }) => type).at(-1)).toBe('context.cleared')
    expect((await ask(url, 'POST', `/api/sessions/${id}/clear`)).status).toBe(200)
  })
})

describe('what is not there cannot be followed:', () => {
  test.each([
    ['a round nobody knows', SSE],
    ['a round nobody knows, as a page', {}],
  ])('%s is 404', async (_, headers) => {
    const { url } = await served()
    const id = await newSession(url)
    const answer = await ask(url, 'GET', `/api/sessions/${id}/events?round=nope`, undefined, headers)
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('a round of another session is 404', async () => {
    const { url } = await served()
    const [one, other] = [await newSession(url), await newSession(url)]
    const { body } = await ask(url, 'POST', `/api/sessions/${one}/messages?wait=1`, { content: 'hi' })
    const path = `/api/sessions/${other}/events?round=${body.requestId ?? ''}`
    expect((await ask(url, 'GET', path, undefined, SSE)).status).toBe(404)
  })

  test('an event the log does not have yet is 409, with the number it ends with', async () => {
    const { url } = await served()
    const id = await newSession(url)
    const answer = await ask(url, 'GET', `/api/sessions/${id}/events?after=99`, undefined, SSE)
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('ends with event 1')])
  })

  test('a page of a round ends with it', async () => {
    const { url } = await served()
    const id = await newSession(url)
    const say = () => ask(url, 'POST', `/api/sessions/${id}/messages?wait=1`, { content: 'hi' })
    const first = (await say()).body.requestId ?? ''
    await say()
    const { body } = await ask(url, 'GET', `/api/sessions/${id}/events?round=${first}`)
    expect(body.items?.at(-1)?.type).toBe('round.ended')
    expect(body['next']).toBe(null)
  })
})

verifies('GOV-31', 'a body that is not JSON is 415, whatever it says it is', async () => {
  const { url } = await served()
  const id = await newSession(url)
  const post = async (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
    (await fetch(`${url}/api/sessions/${id}/messages`, { method: 'POST', headers, body })).status
  expect([
    await post({ 'content-type': 'application/json' }, 'not json'),
    await post({ 'content-type': 'text/plain' }, '{"content":"hi"}'),
    await post({}, new TextEncoder().encode('{"content":"hi"}')),
  ]).toEqual([415, 415, 415])
})

verifies(
  'REL-4',
  'a start with more to go on with than fits in memory is there at once, and comes to all of it',
  async () => {
    const { options, tool } = holding()
    const first = await served({ ...options, limits: { MAX_ROUNDS: 10, DRAIN_MS: 0 } })
    const ids = await Promise.all(Array.from({ length: 4 }, () => newSession(first.url)))
    for (const id of ids) await ask(first.url, 'POST', `/api/sessions/${id}/messages`, { content: 'hold on' })
    await tool.entered
    await first.segno.close()
    const again = holding()
    const second = await served({ ...again.options, home: first.home, limits: { MAX_COORDINATORS: 1 } })
    expect((await ask(second.url, 'GET', '/health')).status).toBe(200)
    again.tool.open()
    for (const id of ids) {
      await expect.poll(async () => (await logOf(second.url, id)).at(-1)?.type).toBe('round.ended')
    }
  },
)

test('a client that leaves before its body is there is no mistake of Segno', async () => {
  const { url } = await served()
  const { hostname, port, host } = new URL(url)
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n{"title":`
  for (const [path, type] of [
    ['/api/knowledge', 'multipart/form-data; boundary=b'],
    ['/api/sessions', 'application/json'],
  ] as const) {
    const socket = connect(Number(port), hostname)
    await new Promise<void>((resolve) => socket.write(head(path, type), () => resolve()))
    await ask(url, 'GET', '/health')
    socket.destroy()
  }
  const metrics = async (): Promise<string> => String((await ask(url, 'GET', '/metrics')).body['text'])
  await expect.poll(metrics).toMatch(/segno_http_requests_total\{[^}]*route="\/api\/sessions"[^}]*status="400"/)
  await expect.poll(metrics).toMatch(/route="\/api\/knowledge"[^}]*status="400"/)
  expect(await metrics()).not.toContain('status="500"')
})
