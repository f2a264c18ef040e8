import { expect, onTestFinished, test, vi } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { Problem } from '../../src/contract/problem.ts'
import { answersLater } from '../../src/contract/tool.ts'
import { DIALECTS } from '../../src/stream/index.ts'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { probe } from '../support/probe-tool.ts'
import { followStream, type SseClient } from '../support/sse-client.ts'
import type { SseFrame } from '../support/sse-frames.ts'
import { ask, newSession } from './support/ask.ts'
import { differences, documentedFrames } from './support/documented-frames.ts'
import { EVENT_FIELDS } from './support/event-fields.ts'
import { served, type Served } from './support/served.ts'

const NAMES = Object.keys(DIALECTS)
const documented = documentedFrames(NAMES)
/** what was sent in each dialect, by everything this file does */
const sent = new Map<string, SseFrame[]>(NAMES.map((name) => [name, []]))

/** Readers of a session, one for each of these dialects; all they are sent counts. */
function readers(url: string, sessionId: string, names = NAMES): Map<string, SseClient> {
  const open = (name: string): SseClient =>
    followStream({
      url: `${url}/api/sessions/${sessionId}/events?outputs=1&dialect=${name}`,
      ends: () => false,
      comesBack: false,
      onFrame: (frame) => sent.get(name)?.push(frame),
    })
  return new Map(names.map((name) => [name, open(name)]))
}

const each = (clients: Map<string, SseClient>, of: (client: SseClient) => Promise<unknown>): Promise<unknown> =>
  Promise.all([...clients.values()].map(of))

const pace = { deltaChars: 4, delayMs: 2 }
const model = {
  scenarios: [
    {
      when: '^all',
      turns: [
        { reasoning: 'Hm, hm.', text: 'Looking.', calls: [{ name: 'look', args: { n: 1 } }], argDeltas: 2, ...pace },
        { text: 'Only half of it', fault: { kind: 'cut', afterDeltas: 2 }, ...pace },
        { text: 'May I?', calls: [{ name: 'mail', args: { to: 'ann' } }], ...pace },
        { calls: [{ name: 'print', args: { page: 1 } }] },
        { text: 'Done.', ...pace },
      ],
    },
    { when: '^pay', turns: [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Who knows.' }] },
    { when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] },
    { when: '^broken', turns: [{ text: 'half', fault: { kind: 'error', status: 400 } }] },
    { when: '^flood', turns: [{ text: 'x'.repeat(300_000), deltaChars: 15_000 }] },
  ],
} as const

/** A server whose store can be told to fail for a session. */
async function server(limits: Record<string, number> = {}) {
  const gone = new Set<string>()
  const hold = gateTool()
  const shown = { now: Promise.withResolvers<void>() }
  const look = probe('look', {
    async run(_, { say }) {
      say('how far it is')
      await shown.now.promise
      return 'seen'
    },
  })
  const tools = [
    look,
    hold,
    probe('mail', { effect: 'unsafe', approval: 'ask' }),
    probe('print', { effect: 'unsafe', run: () => answersLater('job-7') }),
    probe('pay', {
      effect: 'unsafe',
      run: () => Promise.reject(Object.assign(new Error('lost'), { effect: 'unknown' })),
    }),
  ]
  const it = await served(
    { model, tools, limits },
    {
      store(open) {
        const opened = open()
        return {
          ...opened,
          readSlice: (id, ...more) =>
            gone.has(id)
              ? Promise.reject(new Problem('STORE_CORRUPT', 'secret.db is broken'))
              : opened.readSlice(id, ...more),
        }
      },
    },
  )
  return { ...it, hold, gone, shown }
}

/** Sends a message and waits until its round ends or rests. */
async function say({ url }: Served, sessionId: string, content: string, more: object = {}) {
  const { body } = await ask(url, 'POST', `/api/sessions/${sessionId}/messages?wait=1`, { content, ...more })
  return body
}

async function post({ url }: Served, path: string, body: object = {}): Promise<void> {
  expect((await ask(url, 'POST', path, body)).status).toBeLessThan(300)
}

const isOutput = ({ event, data }: SseFrame): boolean => event === 'delta' && data.kind === 'output'

/** A round in which everything happens that a round can come to: it asks, waits, is asked to rest, and ends. */
async function wholeRound(
  it: Awaited<ReturnType<typeof server>>,
  sessionId: string,
  native: SseClient,
  protocol: string,
): Promise<void> {
  it.shown.now = Promise.withResolvers()
  const seen = native.frames.length
  void native
    .until((frame) => isOutput(frame) && native.frames.indexOf(frame) >= seen)
    .then(() => it.shown.now.resolve())
  const { requestId, state } = await say(it, sessionId, `all ${protocol}`, { protocol })
  expect(state).toBe('waiting')
  const [approval] = (await ask(it.url, 'GET', '/api/approvals?status=pending')).body.items ?? []
  await post(it, `/api/approvals/${approval?.id}`, { decision: 'approve' })
  const submitted = await native.until(
    (frame) => frame.event === 'tool.submitted' && frame.data.requestId === requestId,
  )
  await native.until(
    ({ event, data }) => event === 'round.waiting' && data.requestId === requestId && data.data?.['for'] === 'result',
  )
  const callId = String(submitted.data.data?.['callId'])
  await it.segno.rounds.answerCall(LOCAL_OWNER, { sessionId, callId }, { output: 'on paper' })
  await native.until(({ event, data }) => event === 'round.ended' && data.requestId === requestId)
}

/** Everything that a session and its rounds can be told to do, until it is gone. */
async function wholeLife(): Promise<void> {
  const it = await server()
  const id = await newSession(it.url)
  const following = readers(it.url, id)
  const native = following.get('native') as SseClient
  const session = `/api/sessions/${id}`
  await wholeRound(it, id, native, 'unified')
  await wholeRound(it, id, native, 'triggered')

  const held = (await ask(it.url, 'POST', `${session}/messages`, { content: 'hold' })).body.requestId
  await it.hold.entered
  await post(it, `/api/rounds/${held}/pause`)
  it.hold.open()
  await native.until(({ event }) => event === 'round.paused')
  await post(it, `/api/rounds/${held}/resume`)
  await native.until(({ event, data }) => event === 'round.ended' && data.requestId === held)

  expect((await say(it, id, 'broken')).finishReason).toBe('error')
  await say(it, id, 'pay')
  const paid = await native.until(({ event, data }) => event === 'tool.result' && data.data?.['name'] === 'pay')
  await post(it, `/api/calls/${String(paid.data.data?.['callId'])}/reconcile`, { happened: true })

  await post(it, `${session}/compact`)
  await native.until(({ event }) => event === 'compact.summary')

  const said = await native.until(({ event }) => event === 'message.user')
  await ask(it.url, 'PATCH', session, { title: 'Another' })
  await ask(it.url, 'DELETE', `${session}/messages/${String(said.data['id'])}`)
  await post(it, `${session}/clear`)
  const fork = (await ask(it.url, 'POST', `${session}/fork`, { seq: 2 })).body.id ?? ''
  await post(it, `${session}/archive`)
  await ask(it.url, 'DELETE', session)
  await each(following, ({ over }) => over)

  const clients = readers(it.url, fork, ['native', 'phased'])
  await each(clients, (client) => client.until(({ event }) => event === 'session.forked'))
  for (const client of clients.values()) client.leave()
}

test('in every dialect a session is told from its first message to its end', wholeLife)

test.each(NAMES)('a reader in %s that does not keep up is told so with its last frame', async (name) => {
  const it = await server({ STREAM_CHARS: 1000 })
  const id = await newSession(it.url)
  const [client] = readers(it.url, id, [name]).values()
  await expect
    .poll(async () => String((await ask(it.url, 'GET', '/metrics')).body['text']))
    .toContain('segno_streams_active 1')
  await say(it, id, 'flood')
  await client?.over
  const last = client?.frames.at(-1)
  expect([last?.id, last?.event, JSON.stringify(last?.data)]).toEqual([
    undefined,
    'dropped',
    expect.stringContaining('slow_reader'),
  ])
})

test.each(NAMES)('a stream in %s that breaks says so with its last frame, without its inside', async (name) => {
  const it = await server()
  const id = await newSession(it.url)
  it.gone.add(id)
  const [client] = readers(it.url, id, [name]).values()
  await client?.over
  expect(client?.frames).toHaveLength(1)
  const last = client?.frames.at(-1)
  const told = JSON.stringify(last?.data)
  expect([last?.id, last?.event, told]).toEqual([undefined, 'error', expect.stringContaining('STORE_CORRUPT')])
  expect(told).not.toContain('secret')
})

test.each(NAMES)('a stream in %s on which nothing happens has a comment every 15 seconds', async (name) => {
  const { url } = await server()
  const id = await newSession(url)
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    stop.abort()
    vi.useRealTimers()
  })
  const { body, headers } = await fetch(`${url}/api/sessions/${id}/events?dialect=${name}&after=1`, {
    headers: { accept: 'text/event-stream' },
    signal: stop.signal,
  })
  expect(headers.get('content-type')).toBe('text/event-stream')
  const reading = body?.pipeThrough(new TextDecoderStream()).getReader().read()
  vi.advanceTimersByTime(15_000)
  expect((await reading)?.value).toBe(': ping\n\n')
})

test.each(Object.entries(EVENT_FIELDS))('docs/events.md has the fields of %s', (type, fields) => {
  const names = Object.entries<boolean>(fields).map(([name, always]) => (always ? name : `${name}?`))
  const { always = [], sometimes = [] } = documented.events.get(type) ?? {}
  expect([...always, ...sometimes.map((name) => `${name}?`)].toSorted()).toEqual(names.toSorted())
})

const isEvent = ({ event }: SseFrame): boolean => documented.events.has(event)

/** In the chat dialect what a frame says stands one level deeper. */
function saidBy(name: string, { event, data }: SseFrame): object {
  if (name !== 'chat') return data
  expect([Object.keys(data), data.type]).toEqual([['type', 'data'], event])
  return data.data ?? {}
}

test.each(NAMES)('docs/events.md has every frame of %s, as it is sent, and no other', (name) => {
  const frames = sent.get(name) ?? []
  const table = documented.frames.get(name) ?? new Map<string, never>()
  const tellsEvents = table.has('every event')
  const kindOf = (frame: SseFrame): string => (tellsEvents && isEvent(frame) ? 'every event' : frame.event)
  const kinds = Map.groupBy(frames, kindOf)
  expect([...kinds.keys()].toSorted()).toEqual([...table.keys()].toSorted())
  for (const [kind, ones] of kinds) {
    const objects = ones.map((frame) => saidBy(name, frame))
    const shape = table.get(kind)
    expect(shape && differences(kind, shape, objects)).toEqual([])
    const fields = new Set(objects.flatMap((one) => Object.keys(one)))
    expect(
      shape?.sometimes.filter((field) => !fields.has(field)),
      `${kind} is never sent with`,
    ).toEqual([])
  }
  if (!tellsEvents) return
  const events = Map.groupBy(frames.filter(isEvent), ({ event }) => event)
  expect([...events.keys()].toSorted()).toEqual([...documented.events.keys()].toSorted())
  for (const [type, ones] of events) {
    const shape = documented.events.get(type)
    expect(
      shape &&
        differences(
          type,
          shape,
          ones.map(({ data }) => data.data ?? {}),
        ),
    ).toEqual([])
  }
})

test('every kind of delta is sent, in each dialect that has deltas', () => {
  const kinds = ['args', 'output', 'reasoning', 'text']
  for (const [name, frames] of sent) {
    const told = new Set(frames.flatMap(({ event, data }) => (event === 'delta' ? [String(data.kind)] : [])))
    expect([...told].toSorted()).toEqual(documented.frames.get(name)?.has('delta') ? kinds : [])
  }
})
