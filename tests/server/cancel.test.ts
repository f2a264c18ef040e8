import { expect, test } from 'vitest'
import { probe } from '../support/probe-tool.ts'
import { followStream, type SseClient } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { ask, logOf, newSession, type Item } from './support/ask.ts'
import { served } from './support/served.ts'
import { ownTime } from '../support/own-time.ts'

const A_SECOND = 1000
const model = {
  scenarios: [
    { when: '^talk', turns: [{ text: 'on and on '.repeat(200), deltaChars: 2, delayMs: 10 }] },
    { when: '^short', turns: [{ text: 'A short one, told slowly.', deltaChars: 1, delayMs: 10 }] },
    { when: '^hang', turns: [{ text: 'Wait. ', calls: [{ name: 'hang' }] }] },
    { when: '^mail', turns: [{ text: 'May I? ', calls: [{ name: 'mail' }] }, { text: 'Sent.' }] },
    { when: '^deaf', turns: [{ text: 'Wait. ', calls: [{ name: 'deaf' }] }] },
  ],
}
/** One listens to its signal, the other does not. */
const tools = () => [
  probe('hang', {
    run: (_args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('told to stop')))),
  }),
  probe('mail', { effect: 'unsafe', approval: 'ask' }),
  probe('deaf', { effect: 'unsafe', run: () => new Promise(() => {}) }),
]

async function stage() {
  const { url } = await served({ model, tools: tools() })
  const id = await newSession(url)
  const messages = `${url}/api/sessions/${id}/messages`
  return {
    url,
    id,
    log: () => logOf(url, id),
    say: (content: string, query = ''): SseClient =>
      followStream({ url: messages + query, body: { content }, comesBack: false }),
    finishReason: async () => {
      let ended: Item | undefined
      await eventually(async () => {
        ended = (await logOf(url, id)).find(({ type }) => type === 'round.ended')
        return ended !== undefined
      })
      return ended?.data['finishReason']
    },
  }
}

for (const [content, what, isThere] of [
  ['talk', 'a model that is talking', 'delta'],
  ['hang', 'a tool that hangs', 'tool.call'],
  ['deaf', 'a tool that hangs and does not listen', 'tool.started'],
] as const) {
  verifies('COO-5', `cancelling reaches ${what} within a second, and the session goes on`, async () => {
    const u = await stage()
    const client = u.say(content)
    const started = await client.until(({ event }) => event === 'round.started')
    // A pure tool that only reads is not recorded before it runs; its turn is over when it does.
    if (content === 'hang') await eventually(() => client.shown.turns.get(1) === 'Wait. ')
    else await client.until(({ event }) => event === isThere)
    const took = ownTime()
    expect((await ask(u.url, 'POST', `/api/rounds/${started.data.requestId}/cancel`)).status).toBe(202)
    await client.over
    expect(took()).toBeLessThan(A_SECOND)
    const log = await u.log()
    const ended = log.find(({ type }) => type === 'round.ended')
    expect(ended?.data['finishReason']).toBe('cancelled')
    expect(client.frames.at(-1)).toMatchObject({ event: 'round.ended', data: { data: { finishReason: 'cancelled' } } })
    expect(client.faults).toEqual([])
    const calls = log.filter(({ type }) => type === 'tool.call').length
    expect(log.filter(({ type }) => type === 'tool.result')).toHaveLength(calls)
    const next = await ask(u.url, 'POST', `/api/sessions/${u.id}/messages?wait=1`, { content: 'and now?' })
    expect([next.status, next.body.content]).toEqual([200, 'Echo: and now?'])
  })
}

verifies('COO-5', 'a client that goes away cancels nothing', async () => {
  const u = await stage()
  const clients = ['', '?dialect=chat', '?dialect=turns'].map((query) => u.say('short', query))
  for (const client of clients) {
    await client.until(() => client.frames.length > 1)
    client.leave()
  }
  expect(await u.finishReason()).toBe('complete')
})

verifies('COO-5', 'a client that asked for it cancels its round by going away', async () => {
  const u = await stage()
  const client = u.say('talk', '?onDisconnect=cancel')
  await client.until(({ event }) => event === 'delta')
  const took = ownTime()
  client.leave()
  expect(await u.finishReason()).toBe('cancelled')
  expect(took()).toBeLessThan(A_SECOND)
})

test.each([
  ['', 'complete', 'short'],
  ['&onDisconnect=cancel', 'cancelled', 'talk'],
])('who waits for an answer (?wait=1%s) and goes away leaves it %s', async (query, finishReason, content) => {
  const u = await stage()
  const gone = new AbortController()
  const waiting = fetch(`${u.url}/api/sessions/${u.id}/messages?wait=1${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
    signal: gone.signal,
  })
  await eventually(async () => (await u.log()).some(({ type }) => type === 'turn.started'))
  gone.abort()
  await expect(waiting).rejects.toThrow('aborted')
  expect(await u.finishReason()).toBe(finishReason)
})

test('a client that asked for it and got all there is now cancels nothing when its stream ends', async () => {
  const u = await stage()
  const client = u.say('mail', '?onDisconnect=cancel')
  await client.over
  expect(client.frames.at(-1)?.event).toBe('round.waiting')
  const [approval] = (await ask(u.url, 'GET', '/api/approvals?status=pending')).body.items ?? []
  expect((await ask(u.url, 'POST', `/api/approvals/${approval?.id}`, { decision: 'approve' })).status).toBe(202)
  expect(await u.finishReason()).toBe('complete')
  expect((await u.log()).filter(({ type }) => type === 'round.asked')).toEqual([])
})
