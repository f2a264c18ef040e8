import { afterAll, describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { verifies } from '../support/verifies.ts'
import { ask, readProblem } from './support/ask.ts'
import { ADA, openStage } from './support/stage.ts'
import { ownSleep } from '../support/own-time.ts'

const stage = await openStage()
afterAll(() => stage.close())
const { segno, key } = stage

interface Way {
  readonly method: string
  readonly path: (sessionId: string) => string
  readonly body?: object
  readonly accept?: string
}

const SLOW = { content: 'slow' }
const SSE = 'text/event-stream'
const WAYS: Readonly<Record<string, Way>> = {
  'a posted message': { method: 'POST', path: (id) => `/api/sessions/${id}/messages`, body: SLOW, accept: SSE },
  'the log of a session': { method: 'GET', path: (id) => `/api/sessions/${id}/events`, accept: SSE },
  'the turns of an answer': { method: 'POST', path: (id) => `/api/sessions/${id}/request`, body: SLOW },
  'a chat': { method: 'POST', path: (id) => `/api/chats/${id}/stream`, body: SLOW },
  'a chat that was got': { method: 'GET', path: (id) => `/api/chats/${id}/stream?message=slow` },
  'a one-stage message': { method: 'POST', path: () => '/api/chat/messages', body: SLOW },
  'a two-stage message': { method: 'POST', path: () => '/api/chat/messages_two_stage', body: SLOW },
  'waiting for the answer': { method: 'POST', path: (id) => `/api/sessions/${id}/messages?wait=1`, body: SLOW },
}

function request({ method, path, body, accept }: Way, sessionId: string, key: string): Request {
  return new Request(`http://127.0.0.1:4747${path(sessionId)}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(accept !== undefined && { accept }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** A session in which an answer is on its way, and goes on for much longer than a second. */
async function busySession(): Promise<string> {
  const { id } = await segno.createSession({}, { actor: ADA })
  await segno.rounds.send(ADA, id, 'slow')
  return id
}

async function readToEnd(response: Response | Promise<Response>): Promise<string> {
  await (await response).text()
  return 'over'
}

/** How things stand once the promise is kept, or after so long, but for what others do on this machine. */
const soon = (promise: Promise<string>, ms = 1000): Promise<string> =>
  Promise.race([promise, ownSleep(ms).then(() => 'still open')])

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  verifies('GOV-32', 'ends within a second when its key is revoked, and cannot be had again', async () => {
    const { id, text } = await key('acme', 'ada', ['chat:*'])
    const sessionId = way.method === 'GET' && way.accept ? await busySession() : await newSession()
    const over = readToEnd(segno.fetch(request(way, sessionId, text)))
    await roundStarted()
    await segno.keys.revoke(LOCAL_OWNER, id)
    expect(await soon(over)).toBe('over')
    const again = await segno.fetch(request(way, sessionId, text))
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ code: 'KEY_INVALID' })
  })

  verifies('GOV-32', 'ends within a second when its key expires, and cannot be had again', async () => {
    const { text } = await key('acme', 'ada', ['chat:*'], 700)
    const made = performance.now()
    const sessionId = way.method === 'GET' && way.accept ? await busySession() : await newSession()
    const over = readToEnd(segno.fetch(request(way, sessionId, text)))
    expect(await soon(over, 1700)).toBe('over')
    expect(performance.now() - made).toBeGreaterThan(600)
    expect((await segno.fetch(request(way, sessionId, text))).status).toBe(401)
  })

  const newSession = async (): Promise<string> => (await segno.createSession({}, { actor: ADA })).id

  /** Something was sent: the request is past the door. */
  async function roundStarted(): Promise<void> {
    await expect.poll(() => segno.stats().running).toBeGreaterThan(0)
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
  }
})

test('a key that is revoked while its message is being stored gets no stream either', async () => {
  const ways = [WAYS['a posted message'], WAYS['waiting for the answer']] as Way[]
  for (let turns = 0; turns < 24; turns++) {
    const { id, text } = await key('acme', 'ada', ['chat:*'])
    const { id: sessionId } = await segno.createSession({}, { actor: ADA })
    const way = ways[turns % 2] as Way
    const over = readToEnd(segno.fetch(request(way, sessionId, text)))
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await segno.keys.revoke(LOCAL_OWNER, id)
    expect(await soon(over)).toBe('over')
  }
})

test('what others follow goes on when a key is revoked', async () => {
  const one = await key('acme', 'ada', ['chat:*'])
  const other = await key('acme', 'ada', ['chat:*'])
  const sessionId = await busySession()
  const log = WAYS['the log of a session'] as Way
  const [ended, kept] = await Promise.all([one, other].map(({ text }) => segno.fetch(request(log, sessionId, text))))
  await segno.keys.revoke(LOCAL_OWNER, one.id)
  await ended?.text()
  const reader = kept?.body?.getReader()
  for (let read = 0; read < 5; read++) expect((await reader?.read())?.done).toBe(false)
  await reader?.cancel()
  const answer = await ask(segno, 'GET', '/api/sessions', { key: one.text })
  expect(readProblem(answer).code).toBe('KEY_INVALID')
  expect((await ask(segno, 'GET', '/api/sessions', { key: other.text })).status).toBe(200)
})
