import { expect, test } from 'vitest'
import { eventually } from '../scenarios/library/support/eventually.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { probe } from '../support/probe-tool.ts'
import { followStream, type SseClient } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { ask, logOf, newSession } from './support/ask.ts'
import { served } from './support/served.ts'

const ROUTE = '/api/chat/messages_two_stage'
const RESUME = `${ROUTE}/resume`
const model = {
  scenarios: [
    {
      when: '^hold',
      turns: [
        { text: 'First I look. ', calls: [{ name: 'hold' }], deltaChars: 4, delayMs: 1 },
        { text: 'Then I look again. ', calls: [{ name: 'look' }], deltaChars: 4, delayMs: 1 },
        { text: 'That is what I found.', deltaChars: 4, delayMs: 1 },
      ],
    },
  ],
}

async function stage() {
  const hold = gateTool('hold')
  const { url } = await served({ model, tools: [hold, probe('look')], env: { TWO_STAGE_ENABLED: 'true' } })
  const say = (content: string, more: object = {}, headers: Record<string, string> = {}): SseClient =>
    followStream({ url: url + ROUTE, body: { content, ...more }, headers, comesBack: false })
  return {
    url,
    hold,
    say,
    resume: (requestId: string, resumeFromPhaseIndex: number) =>
      ask(url, 'POST', RESUME, { requestId, resumeFromPhaseIndex }),
    act: (requestId: string, action: string) => ask(url, 'POST', `/api/rounds/${requestId}/${action}`),
    /** A round that was asked to pause while its first call ran, and rests. */
    async paused() {
      const client = say('hold on')
      const requestId = String((await client.until(({ event }) => event === 'round.started')).data.requestId)
      await hold.entered
      expect((await ask(url, 'POST', `/api/rounds/${requestId}/pause`)).status).toBe(202)
      hold.open()
      await client.over
      return { client, requestId }
    },
  }
}

/** Every frame of a triggered round says where in it it stands. */
function expectPhases(client: SseClient): string[] {
  const { requestId } = client.frames[0]?.data ?? {}
  for (const { data } of client.frames) {
    expect(data).toMatchObject({ requestId, projectId: 'system' })
    expect([typeof data['phase'], typeof data['phaseIndex'], typeof data['cycleIndex']]).toEqual([
      'string',
      'number',
      'number',
    ])
  }
  const steps = client.frames.map(({ data }) => `${String(data['phaseIndex'])} ${String(data['phase'])}`)
  return steps.filter((step, at) => step !== steps[at - 1])
}

verifies(
  'PHA-1',
  'the two-stage routes answer 501 while they are switched off, and say how to switch them on',
  async () => {
    const { url } = await served()
    for (const [path, body] of [
      [ROUTE, { content: 'hi' }],
      [RESUME, { requestId: 'r', resumeFromPhaseIndex: 1 }],
    ] as const) {
      const { status, body: said } = await ask(url, 'POST', path, body)
      expect([status, said.code]).toEqual([501, 'NOT_ENABLED'])
      expect(said.detail).toContain('TWO_STAGE_ENABLED')
    }
    expect((await ask(url, 'GET', '/api/sessions')).body.items).toEqual([])
    // The one-stage route is not concerned.
    expect((await ask(url, 'POST', '/api/chat/messages', { content: 'hi' })).status).toBe(200)
  },
)

verifies(
  ['PHA-8', 'PHA-11', 'PHA-1'],
  'a two-stage round says its phase on every frame, from the first to the last',
  async () => {
    const u = await stage()
    u.hold.open()
    const client = u.say('hold on')
    await client.over
    expect(client.faults).toEqual([])
    expect(new Set(client.frames.map(({ event }) => event))).toContain('delta')
    expect(expectPhases(client)).toEqual([
      '1 tool_phase',
      '2 action_phase',
      '3 tool_phase',
      '4 action_phase',
      '5 complete',
    ])
    expect(client.frames.at(-1)?.event).toBe('round.ended')
    const { body } = await ask(u.url, 'GET', `/api/rounds/${client.frames[0]?.data.requestId}`)
    expect(body).toMatchObject({ protocol: 'triggered', state: 'ended', phase: 'complete', phaseIndex: 5 })
  },
)

verifies('PHA-11', 'a two-stage round pauses after its result and goes on from the phase that comes next', async () => {
  const u = await stage()
  const { client, requestId } = await u.paused()
  expect(client.frames.at(-1)).toMatchObject({ event: 'round.paused', data: { data: { nextPhaseIndex: 2 } } })
  expect((await ask(u.url, 'GET', `/api/rounds/${requestId}`)).body).toMatchObject({ state: 'paused', phaseIndex: 1 })

  for (const wrong of [1, 3, 0]) {
    const { status, body } = await u.resume(requestId, wrong)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.detail).toContain('2')
  }
  expect((await ask(u.url, 'GET', `/api/rounds/${requestId}`)).body.state).toBe('paused')

  const rest = followStream({ url: u.url + RESUME, body: { requestId, resumeFromPhaseIndex: 2 }, comesBack: false })
  await rest.over
  expect(rest.faults).toEqual([])
  expect(rest.frames[0]).toMatchObject({ event: 'round.resumed', data: { data: { reason: 'resume' } } })
  expect(expectPhases(rest)).toEqual(['1 tool_phase', '2 action_phase', '3 tool_phase', '4 action_phase', '5 complete'])
  const numbers = [...client.frames, ...rest.frames].flatMap(({ data }) => data.seq ?? [])
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
  expect(u.hold.runs).toHaveLength(1)
  expect((await u.resume(requestId, 5)).status).toBe(409)
})

verifies('PHA-11', 'a two-stage round that was cancelled while it rested cannot be resumed', async () => {
  const u = await stage()
  const { requestId } = await u.paused()
  expect((await u.act(requestId, 'cancel')).status).toBe(202)
  await eventually(async () => (await ask(u.url, 'GET', `/api/rounds/${requestId}`)).body.state === 'ended')
  const { status, body } = await u.resume(requestId, 2)
  expect([status, body.code]).toEqual([409, 'CONFLICT'])
  expect((await u.act(requestId, 'resume')).status).toBe(409)
  expect((await ask(u.url, 'GET', `/api/rounds/${requestId}`)).body.finishReason).toBe('cancelled')
})

test('of many who resume at the same time one lets the round go on, and it goes on once', async () => {
  const u = await stage()
  const { client, requestId } = await u.paused()
  const answers = await Promise.all(Array.from({ length: 8 }, () => u.resume(requestId, 2)))
  for (const { status } of answers) expect([200, 409]).toContain(status)
  const log = await logOf(u.url, String(client.frames[0]?.data.sessionId))
  expect(log.filter(({ type }) => type === 'round.resumed')).toHaveLength(1)
  expect(log.filter(({ type }) => type === 'round.ended')).toHaveLength(1)
})

test('nobody can resume a round they may not see, or one that is not there', async () => {
  const u = await stage()
  expect((await u.resume('nobody', 2)).status).toBe(404)
  expect((await ask(u.url, 'POST', RESUME, { requestId: 'r' })).status).toBe(400)
})

for (const route of ['/api/chat/messages', ROUTE]) {
  verifies('PHA-11', `${route} without a session makes one, and one key makes one session and one round`, async () => {
    const u = await stage()
    const say = (content: string, key: string) =>
      followStream({ url: u.url + route, body: { content }, headers: { 'idempotency-key': key }, comesBack: false })
    const same = Array.from({ length: 10 }, () => say('hi', 'a'))
    await Promise.all(same.map(({ over }) => over))
    const first = same.map(({ frames }) => frames[0]?.data)
    expect(new Set(first.map((data) => data?.sessionId)).size).toBe(1)
    expect(new Set(first.map((data) => data?.requestId)).size).toBe(1)
    for (const client of same) expect([client.faults, client.shown.turns.get(1)]).toEqual([[], 'Echo: hi'])
    const other = say('something else', 'a')
    await other.over
    expect(other.faults.join()).toContain('422')
    await say('hi', 'b').over
    const { body } = await ask(u.url, 'GET', '/api/sessions')
    expect(body.items).toHaveLength(2)
    const log = await logOf(u.url, String(first[0]?.sessionId))
    expect(log.filter(({ type }) => type === 'message.user')).toHaveLength(1)
  })
}

test('with a session the message goes there, and a project that is not its own is named', async () => {
  const u = await stage()
  const sessionId = await newSession(u.url)
  const client = u.say('hi', { sessionId, projectId: 'system' })
  await client.over
  expect([client.faults, client.frames[0]?.data.sessionId]).toEqual([[], sessionId])
  const { status, body } = await ask(u.url, 'POST', ROUTE, { content: 'hi', sessionId, projectId: 'elsewhere' })
  expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(body.detail).toContain('system')
})
