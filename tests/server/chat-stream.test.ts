import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { followStream, type SseClient, type SseRequest } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession } from './support/ask.ts'
import { serverChild } from './support/server-child.ts'
import { served } from './support/served.ts'

const MESSAGE = '100% sure & 50%25 = ½? "ça va" 🎈\n日本語 #1'
const slowly = {
  scenarios: [{ when: '^slow', turns: [{ text: 'Slowly, piece by piece.', deltaChars: 1, delayMs: 10 }] }],
}

async function stage(now?: () => number) {
  const clock = now && { ...systemClock, now }
  const { url, segno } = await served({ model: slowly }, clock ? { clock } : {})
  const id = await newSession(url)
  const at = (query: string) => `${url}/api/chats/${id}/stream${query}`
  return {
    url,
    id,
    segno,
    get: (message: string, key?: string, more: Partial<SseRequest> = {}): SseClient =>
      followStream({
        url: at(`?message=${encodeURIComponent(message)}${key === undefined ? '' : `&key=${key}`}`),
        comesBack: false,
        ...more,
      }),
    follow: (lastId: string, query = '') =>
      ask(url, 'GET', `/api/chats/${id}/stream${query}`, undefined, { 'last-event-id': lastId }),
    messages: async () => (await logOf(url, id)).filter(({ type }) => type === 'message.user'),
  }
}

const roundOf = async (client: SseClient): Promise<unknown> =>
  (await client.until(({ event }) => event === 'message.start')).data.data?.['messageId']

verifies('GOV-17', 'a GET says any message, also with percent signs and letters of all kinds', async () => {
  const u = await stage()
  const client = u.get(MESSAGE)
  await client.over
  expect(client.faults).toEqual([])
  expect(client.shown.turns.get(0)).toBe(`Echo: ${MESSAGE}`)
  expect((await u.messages()).map(({ data }) => data['content'])).toEqual([[{ type: 'text', text: MESSAGE }]])
  const events = client.frames.map(({ event }) => event)
  expect(events.at(0)).toBe('message.start')
  expect(events.slice(-2)).toEqual(['message.complete', 'done'])
  for (const { event, data } of client.frames) expect(data.type).toBe(event)
})

verifies('GOV-17', 'equal messages are one while the round runs, also when they come at the same moment', async () => {
  const u = await stage()
  const clients = Array.from({ length: 10 }, () => u.get('slow, please'))
  await clients[0]?.until(({ event }) => event === 'message.delta')
  clients.push(u.get('slow, please'))
  const rounds = await Promise.all(clients.map(roundOf))
  expect(new Set(rounds).size).toBe(1)
  await Promise.all(clients.map(({ over }) => over))
  expect(await u.messages()).toHaveLength(1)
  for (const client of clients) expect(client.shown.turns.get(0)).toBe('Slowly, piece by piece.')
})

verifies('GOV-17', 'an equal message is joined up to a minute after its end, and a new one after that', async () => {
  let later = 0
  const u = await stage(() => Date.now() + later)
  const rounds: unknown[] = []
  for (const step of [0, 50_000, 20_000]) {
    later += step
    const client = u.get('hello')
    await client.over
    rounds.push(await roundOf(client))
  }
  expect(rounds[1]).toBe(rounds[0])
  expect(rounds[2]).not.toBe(rounds[0])
  await u.get('hello?').over
  expect(await u.messages()).toHaveLength(3)
})

verifies('GOV-17', 'somebody else with the same words does not join', async () => {
  const u = await stage()
  const client = u.get('hello')
  await client.over
  const owner = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] } as const
  const { secret } = await u.segno.keys.add(owner, { name: 'eve', userId: 'eve', role: 'user' })
  const stranger = u.get('hello', undefined, { headers: { authorization: `Bearer ${secret}` } })
  await stranger.over
  expect(stranger.frames).toEqual([])
  expect(stranger.faults.join()).toContain('404')
})

verifies('GOV-17', 'a key makes a message happen once, and two keys make it happen twice', async () => {
  const u = await stage()
  const same = [u.get('hello', 'a'), u.get('hello', 'a'), u.get('hello', 'a')]
  await Promise.all(same.map(({ over }) => over))
  expect(new Set(await Promise.all(same.map(roundOf))).size).toBe(1)
  await u.get('hello', 'b').over
  expect(await u.messages()).toHaveLength(2)
  const other = u.get('something else', 'a')
  await other.over
  expect(other.faults.join()).toContain('422')
  expect(await u.messages()).toHaveLength(2)
})

verifies(
  'GOV-17',
  'with Last-Event-ID it only follows: exactly the rest, from inside a turn too, then 204',
  async () => {
    const u = await stage()
    // One that loses its connection after every third frame, and comes back as an EventSource would.
    let got = 0
    const losing: SseClient = u.get('slow, please', undefined, {
      comesBack: true,
      onFrame: () => void (++got % 3 === 0 && losing.lose()),
    })
    const whole = u.get('slow, please')
    await Promise.all([losing.over, whole.over])
    for (const client of [losing, whole]) {
      expect(client.faults).toEqual([])
      expect(client.shown.turns.get(0)).toBe('Slowly, piece by piece.')
    }
    expect(losing.connections).toBeGreaterThan(2)
    const facts = ({ frames }: SseClient) =>
      frames.filter(({ id, event }) => id !== undefined && event !== 'message.delta')
    expect(facts(losing)).toEqual(facts(whole))
    expect(await u.messages()).toHaveLength(1)
    const done = whole.lastId ?? ''
    expect((await u.follow(done, '?message=another%20one')).status).toBe(204)
    expect((await u.follow(done)).status).toBe(204)
    const posted = await ask(u.url, 'POST', `/api/chats/${u.id}/stream`, { content: 'x' }, { 'last-event-id': done })
    expect(posted.status).toBe(204)
    expect(await u.messages()).toHaveLength(1)
  },
)

test('without a message and without Last-Event-ID it says what is missing', async () => {
  const u = await stage()
  const { status, body } = await ask(u.url, 'GET', `/api/chats/${u.id}/stream`)
  expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(body.detail).toContain('message')
})

verifies('GOV-17', 'a page of another site is refused, and nothing is said in its name', async () => {
  const u = await stage()
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const { status, body } = await ask(u.url, 'GET', `/api/chats/${u.id}/stream?message=hi`, undefined, headers)
    expect([status, body.code]).toEqual([403, 'FOREIGN_ORIGIN'])
  }
  expect(await u.messages()).toEqual([])
  const own = u.get('hi', undefined, { headers: { origin: u.url, 'sec-fetch-site': 'same-origin' } })
  await own.over
  expect(own.faults).toEqual([])
  expect(await u.messages()).toHaveLength(1)
})

verifies('GOV-17', 'its query appears in no line of the log, whatever becomes of the request', async () => {
  const server = await serverChild({ home: tempHome(), env: { SEGNO_LOG: 'debug' } })
  const { url } = server
  const id = await newSession(url)
  const query = '?message=CANARY-message%20one&key=CANARY-key'
  await followStream({ url: `${url}/api/chats/${id}/stream${query}` }).over
  const failing: readonly (readonly [string, Record<string, string>])[] = [
    [`/api/chats/${id}/stream?message=CANARY-other&key=CANARY-key`, {}],
    [`/api/chats/nobody/stream${query}`, {}],
    [`/api/chats/${id}/stream${query}`, { origin: 'https://evil.example' }],
    [`/api/chats/${id}/stream?message=CANARY-%ZZ`, { host: 'evil.example' }],
    [`/api/chats/${id}/stream?message=${'CANARY'.repeat(3000)}`, {}],
    [`/api/nothing${query}`, {}],
  ]
  for (const [path, headers] of failing) await ask(url, 'GET', path, undefined, headers)
  const lines = () => server.err().split('\n').filter(Boolean)
  // One line for each request that came as far as that, and those of the round.
  await eventually(() => lines().filter((line) => line.includes('durationMs')).length >= failing.length + 1)
  expect(lines().some((line) => line.includes('round_ended'))).toBe(true)
  expect(server.out() + server.err()).not.toContain('CANARY')
})
