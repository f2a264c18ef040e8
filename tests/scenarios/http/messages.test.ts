import { expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { ask, BASE, framesOf } from './ask.ts'

const pure = {
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' as const },
  effect: 'pure' as const,
  run: () => 'secret output',
}

test('streams a round: numbered events in order, deltas between, one end', async () => {
  const it = await segnoUnderTest({
    tools: [pure],
    turns: [{ text: 'Let me see.', calls: [{ name: 'look', args: {} }] }, { text: 'Done.' }],
  })
  const { status, type, body } = await ask(
    it,
    'POST',
    `/api/sessions/${it.sessionId}/messages`,
    { content: 'hi' },
    { accept: 'text/event-stream' },
  )
  expect([status, type]).toEqual([200, 'text/event-stream'])
  const frames = framesOf(String(body['text']))
  const numbers = frames.flatMap(({ id }) => id ?? [])
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
  expect(frames.filter(({ event }) => event === 'round.ended')).toHaveLength(1)
  expect(frames.at(-1)?.event).toBe('round.ended')
  const said = frames.filter(({ event, data }) => event === 'delta' && data['kind'] === 'text' && data['turn'] === 2)
  expect(said.map(({ data }) => data['text']).join('')).toBe('Done.')
})

test('leaves raw tool output out of events unless it is asked for', async () => {
  const it = await segnoUnderTest({
    tools: [pure],
    turns: [{ calls: [{ name: 'look', args: {} }] }, { text: 'Done.' }],
  })
  await ask(it, 'POST', `/api/sessions/${it.sessionId}/messages?wait=1`, { content: 'hi' })
  const without = await ask(it, 'GET', `/api/sessions/${it.sessionId}/events`)
  const asked = await ask(it, 'GET', `/api/sessions/${it.sessionId}/events?outputs=1`)
  expect(JSON.stringify(without.body)).not.toContain('secret output')
  expect(JSON.stringify(asked.body)).toContain('secret output')
})

test('waits for the answer when asked to', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  const { status, body } = await ask(it, 'POST', `/api/sessions/${it.sessionId}/messages?wait=1`, { content: 'hi' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ sessionId: it.sessionId, content: 'Here.', finishReason: 'complete', calls: [] })
})

test('answers 202 with the state of a round that came to rest, and goes on once it is decided', async () => {
  const tool = { ...pure, effect: 'unsafe' as const, approval: 'ask' as const }
  const it = await segnoUnderTest({
    tools: [tool],
    turns: [{ calls: [{ name: 'look', args: {} }] }, { text: 'Done.' }],
  })
  const waiting = await ask(it, 'POST', `/api/sessions/${it.sessionId}/messages?wait=1`, { content: 'hi' })
  expect([waiting.status, waiting.body['state']]).toEqual([202, 'waiting'])
  const { body } = await ask(it, 'GET', '/api/approvals?status=pending')
  const [approval] = body['items'] as { id: string; tool: string }[]
  expect(approval?.tool).toBe('look')
  const decided = await ask(it, 'POST', `/api/approvals/${approval?.id}`, { decision: 'approve' })
  expect(decided.status).toBe(202)
  await it.until('round.ended')
  const round = await ask(it, 'GET', `/api/rounds/${String(waiting.body['requestId'])}`)
  expect(round.body).toMatchObject({ state: 'ended', finishReason: 'complete' })
})

test('makes one round of many posts with one Idempotency-Key, and refuses the key for another message', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Once.' }] })
  const post = (content: string) =>
    ask(it, 'POST', `/api/sessions/${it.sessionId}/messages`, { content }, { 'idempotency-key': 'k1' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('hi')))
  expect(new Set(answers.map(({ body }) => body['requestId'])).size).toBe(1)
  expect((await post('something else')).status).toBe(422)
  await it.until('round.ended')
  expect((await it.events()).filter(({ type }) => type === 'message.user')).toHaveLength(1)
})

test('goes on after the last event a client has', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  await it.ask('hi')
  const all = await it.events()
  for (let after = 0; after <= all.length; after++) {
    const { body } = await ask(it, 'GET', `/api/sessions/${it.sessionId}/events?after=${after}`)
    expect((body['items'] as { seq: number }[]).map(({ seq }) => seq)).toEqual(all.slice(after).map(({ seq }) => seq))
  }
})

test('starts nothing for a client that never reads', async () => {
  const it = await segnoUnderTest()
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  for (let i = 0; i < 20; i++) {
    const head = { method: 'HEAD', headers: { accept: 'text/event-stream' } }
    const answer = await it.segno.fetch(new Request(`${BASE}/api/sessions/${it.sessionId}/events`, head))
    expect(answer.status).toBe(400)
  }
  expect(timers()).toBe(before)
})
