import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { DialectName, Wire } from '../../../src/stream/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { connect, type Reading, type Seen } from './support/reader.ts'

async function read(u: SegnoUnderTest, reading: Reading, lastId?: string): Promise<Seen[]> {
  const seen: Seen[] = []
  await connect(u, reading, seen, lastId)
  return seen
}

const look = probe('look')
const TWO_CALLS = [
  { text: 'First this.', reasoning: 'Hm.', calls: [{ name: 'look', args: { n: 1 } }], deltaChars: 4, delayMs: 1 },
  { text: 'Then tha', deltaChars: 4, delayMs: 1, fault: { kind: 'cut', afterDeltas: 1 } },
  { text: 'Then that.', calls: [{ name: 'look', args: { n: 2 } }], deltaChars: 4, delayMs: 1 },
  { text: 'Done.', deltaChars: 4, delayMs: 1 },
] as const

verifies(
  ['PHA-8', 'PHA-2'],
  'every frame of a triggered round says phase, round, project and indexes, in native and phased',
  async () => {
    const u = await segnoUnderTest({ tools: [look], turns: TWO_CALLS })
    const { requestId } = await u.send('Go.', { protocol: 'triggered' })
    const streams = await Promise.all((['native', 'phased'] as const).map((dialect) => read(u, { dialect, requestId })))
    for (const seen of streams) {
      const kinds = new Set(seen.map(({ event }) => event))
      for (const kind of ['delta', 'reset', 'round.started', 'message.user']) expect(kinds).toContain(kind)
      for (const { data } of seen) {
        expect(data).toMatchObject({ requestId, projectId: 'p' })
        expect([typeof data['phase'], typeof data['phaseIndex'], typeof data['cycleIndex']]).toEqual([
          'string',
          'number',
          'number',
        ])
      }
      const steps = seen.map(({ data }) => [data['phaseIndex'], data['phase'], data['cycleIndex']].join(' '))
      expect(steps.filter((step, i) => step !== steps[i - 1])).toEqual([
        '1 tool_phase 1',
        '2 action_phase 2',
        '3 tool_phase 2',
        '4 action_phase 3',
        '5 complete 3',
      ])
      expect(seen.filter(({ data }) => data['phase'] === 'complete').map(({ event }) => event)).toEqual(['round.ended'])
    }
  },
)

test('the frames of a triggered round say the same to who comes back in the middle', async () => {
  const u = await segnoUnderTest({ tools: [look], turns: TWO_CALLS })
  const { requestId, completion } = await u.send('Go.', { protocol: 'triggered' })
  await completion
  const whole = await read(u, { dialect: 'phased', requestId })
  for (const [i, { id }] of whole.entries())
    expect(await read(u, { dialect: 'phased', requestId }, id)).toEqual(whole.slice(i + 1))
})

test.each<DialectName>(['native', 'phased', 'chat', 'turns'])(
  'a whole session in %s goes on from every id, also between two rounds',
  async (dialect) => {
    const u = await segnoUnderTest({ tools: [look], turns: TWO_CALLS.slice(2) })
    await u.ask('first')
    await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { title: 'Another' })
    await u.ask('second')
    const whole: Seen[] = []
    await connect(u, { dialect }, whole, undefined, { frames: Infinity, ms: 50 })
    expect(whole.at(-1)?.id).toBe(String((await u.events()).length))
    for (const [i, { id }] of whole.slice(0, -1).entries()) {
      if (id === undefined) continue
      const rest: Seen[] = []
      await connect(u, { dialect }, rest, id, { frames: whole.length - i - 1, ms: 5000 })
      expect(rest).toEqual(whole.slice(i + 1))
    }
  },
)

test('a round that is still queued is told from its beginning', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'Here it is.', deltaChars: 2, delayMs: 2 }] })
  await u.send('first')
  const second = await u.send('second')
  expect(second.state).toBe('queued')
  const seen = await read(u, { dialect: 'chat', requestId: second.requestId })
  expect(seen[0]).toMatchObject({ event: 'message.start', data: { data: { messageId: second.requestId } } })
  expect(seen.at(-1)?.event).toBe('done')
})

test('who comes back with the end of a round is not kept waiting', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'Hi.' }] })
  const { requestId } = await u.ask()
  const whole = await read(u, { dialect: 'chat', requestId })
  expect(await read(u, { dialect: 'chat', requestId }, whole.at(-1)?.id)).toEqual([])
})

test.each<DialectName>(['native', 'phased', 'chat', 'turns'])(
  'a stream in %s that ends at rest ends while a person is asked, and not where one was asked before',
  async (dialect) => {
    const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
    const u = await segnoUnderTest({
      tools: [mail],
      turns: [{ text: 'May I?', calls: [{ name: 'mail' }] }, { text: 'Sent.' }],
    })
    const { round, approvals } = await u.askUntilWaiting()
    const reading = { dialect, requestId: round.requestId, endsAtRest: true }
    const resting = await read(u, reading)
    expect(JSON.stringify(resting)).toContain('May I?')
    await u.decide(approvals[0], 'approve')
    await round.completion
    const whole = await read(u, reading)
    expect(JSON.stringify(whole)).toContain('Sent.')
    // Which turns are shown again depends on what is sent together.
    const facts = (seen: readonly Seen[]) => seen.filter(({ event }) => event !== 'turn')
    const rest = await read(u, reading, resting.at(-1)?.id)
    expect([...facts(resting), ...facts(rest)]).toEqual(facts(whole))
  },
)

test('a reader that does not keep up is told so, at once and with its last frame, and loses nothing', async () => {
  const text = 'x'.repeat(20_000)
  const u = await segnoUnderTest({ turns: [{ text, deltaChars: 50 }], limits: { STREAM_CHARS: 5000 } })
  const where = { sessionId: u.sessionId, workspaceId: 'p', outputs: false, dialect: 'chat' } as const
  const batches = u.segno.stream(LOCAL_OWNER, { ...where, cursor: { seq: 1 } })
  const reader = batches[Symbol.asyncIterator]()
  const first = reader.next()
  const { requestId, completion } = await u.send()
  const seen: Wire[] = (await first).value as Wire[]
  await completion
  expect(batches.dropped.aborted).toBe(true)
  for (let next = await reader.next(); !next.done; next = await reader.next()) seen.push(...next.value)
  expect(seen.at(-1)).toEqual({ event: 'dropped', data: { type: 'dropped', data: { reason: 'slow_reader' } } })
  const rest = await read(u, { dialect: 'chat', requestId }, seen.findLast(({ id }) => id !== undefined)?.id)
  const contents = [...seen.slice(0, -1).map(({ data }) => data as Seen['data']), ...rest.map(({ data }) => data)]
  const shown = contents.flatMap(({ type, data }) => (type === 'message.delta' ? [data?.content ?? ''] : []))
  expect(shown.join('')).toBe(text)
})

test('nobody follows a session they may not see', async () => {
  const u = await segnoUnderTest()
  const stranger: Actor = { id: 'eve', kind: 'user', tenant: 'other', permissions: ['*'] }
  const where = { sessionId: u.sessionId, workspaceId: 'p', outputs: false, dialect: 'native' } as const
  const reader = u.segno.stream(stranger, where)[Symbol.asyncIterator]()
  await expect(reader.next()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('who reads the turns of a request slowly still gets all of them', async () => {
  const text = 'x'.repeat(20_000)
  const u = await segnoUnderTest({
    tools: [look],
    turns: [
      { text, calls: [{ name: 'look' }], deltaChars: 50 },
      { text, deltaChars: 50 },
    ],
    limits: { STREAM_CHARS: 5000 },
  })
  const { turns, completion } = await u.send()
  const last = new Map<number, string>()
  for await (const turn of turns) {
    await completion
    last.set(turn.index, `${turn.status} ${turn.content}`)
  }
  expect([...last.values()]).toEqual([`completed ${text}`, `completed ${text}`])
})
