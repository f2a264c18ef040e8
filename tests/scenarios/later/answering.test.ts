import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { answersLater, withFiles } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { DAY, handingOver, heldClock, PROTOCOLS } from './handing-over.ts'

for (const protocol of PROTOCOLS) {
  verifies('LIN-2', `${protocol}: a call that answers later rests until its result comes`, async () => {
    const clock = heldClock()
    const it = await handingOver({}, { clock })
    const { requestId, callId } = await it.handOver(protocol)
    expect(await it.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({ state: 'waiting', waitingFor: 'result' })
    expect(await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)).toMatchObject({
      open: { requestId, state: 'waiting', waitingFor: 'result' },
    })
    expect(it.segno.stats()).toMatchObject({ running: 0 })
    clock.pass(DAY - 1)
    expect(await it.answer(callId)).toBe('taken')
    expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete', content: 'Printed.' })
    const events = (await it.events()).filter((event) => event.requestId === requestId)
    const until = 1_800_000_000_000 + DAY
    expect(said(events, 'tool.submitted')).toEqual([{ callId, ref: 'job-7', until }])
    expect(said(events, 'round.waiting')).toEqual([{ for: 'result', callIds: [callId], until }])
    expect(said(events, 'tool.result')).toMatchObject([
      { callId, outcome: 'ok', effect: 'done', content: 'on paper', durationMs: DAY - 1 },
    ])
    expect(events.map(({ type }) => type).filter((type) => /^(tool|round)\./.test(type))).toEqual([
      'round.started',
      'tool.call',
      'tool.started',
      'tool.submitted',
      'round.waiting',
      'tool.result',
      'round.resumed',
      'round.ended',
    ])
    expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain('on paper')
    // Nobody drove it meanwhile.
    expect(events.reduce((sum, { ms = 0 }) => sum + ms, 0)).toBeLessThan(DAY / 2)
  })
}

test('the same result twice is taken once, and another one for the same call is recorded and dropped', async () => {
  const it = await handingOver()
  const { requestId, callId } = await it.handOver()
  expect(await Promise.all([it.answer(callId), it.answer(callId)])).toEqual(['taken', 'taken'])
  await it.ended(requestId)
  expect(await it.answer(callId)).toBe('taken')
  expect(await it.dropped()).toEqual([])
  expect(await it.answer(callId, { output: 'something else' })).toBe('dropped')
  expect(await it.answer('no such call')).toBe('dropped')
  expect(said(await it.events(), 'tool.result')).toHaveLength(1)
  expect(await it.dropped()).toMatchObject([
    { callId: expect.stringMatching(/^sha256:/) as string },
    { callId, severity: 'warning' },
  ])
})

test('somebody else cannot answer, and learns nothing', async () => {
  const it = await handingOver()
  const { callId } = await it.handOver()
  const stranger: Actor = { ...LOCAL_OWNER, id: 'eve' }
  await expect(it.answer(callId, { output: 'mine' }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const reader: Actor = { ...LOCAL_OWNER, permissions: ['chat:read'] }
  await expect(it.answer(callId, { output: 'mine' }, reader)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  await expect(it.answer(callId, {} as never)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'answer' })
  for (const id of [undefined as never, '', 'x'.repeat(201)])
    await expect(it.answer(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'callId' })
  expect(await it.dropped()).toEqual([])
})

test('an answer that is an error says what a thrown one would', async () => {
  for (const [error, effect] of [
    ['out of paper', 'none'],
    [Object.assign(new Error('out of paper'), { effect: 'unknown' }), 'unknown'],
  ] as const) {
    const it = await handingOver()
    const { requestId, callId } = await it.handOver()
    await it.answer(callId, { error })
    await it.ended(requestId)
    const [result] = said(await it.events(), 'tool.result')
    expect(result).toMatchObject({ outcome: 'error', effect })
    expect(result?.content).toContain('out of paper')
  }
})

test('a result is redacted and cut like any output, whole and with its files in the store', async () => {
  const secret = 'sk-ant-0123456789abcdefghijklmnop'
  const it = await handingOver({ outputChars: 20 }, { env: { ANTHROPIC_API_KEY: secret } })
  const { requestId, callId } = await it.handOver()
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
  const output = withFiles(`a${'b'.repeat(40)} ${secret}`, [{ mediaType: 'image/png', data: png }])
  await it.answer(callId, { output })
  await it.ended(requestId)
  const [result] = said(await it.events(), 'tool.result')
  expect(result?.cut).toBeGreaterThan(0)
  expect(result?.blob).toMatch(/^[0-9a-f]{64}$/)
  const [file] = result?.files ?? []
  expect((await it.segno.sessions.file(LOCAL_OWNER, it.sessionId, file?.hash ?? '')).bytes).toEqual(png)
  expect(JSON.stringify(await it.events())).not.toContain(secret)
  expect(await it.segno.check()).toMatchObject({ ok: true, findings: [] })
})

test('a result for a call that answers at once after all is dropped when that is known, and is on record', async () => {
  const it = await handingOver({
    async run(_, { callId }) {
      expect(await it.answer(callId, { output: 'x'.repeat(100_000) })).toBe('taken')
      return 'at once'
    },
  })
  const { events, content } = await it.ask()
  expect(content).toBe('Printed.')
  expect(said(events, 'tool.result')).toMatchObject([{ content: 'at once' }])
  expect(await it.dropped()).toEqual([{ callId: it.print.runs[0]?.ctx.callId, severity: 'warning' }])
  expect(await it.segno.check()).toMatchObject({ ok: true, findings: [] })
})

test('what it says is data from outside, unless its tool is its own', async () => {
  for (const own of [false, true]) {
    const send = probe('send', { reach: ['outward'], effect: 'unsafe' })
    const it = await handingOver(
      { own },
      {
        turns: [{ calls: [{ name: 'print', args: {} }] }, { calls: [{ name: 'send', args: {} }] }, { text: 'Sent.' }],
      },
    )
    await it.reopen({ tools: [it.print, send] })
    const { callId } = await it.handOver()
    await it.answer(callId)
    const { type } = await it.until(own ? 'round.ended' : 'approval.requested')
    expect([type, send.runs.length]).toEqual(own ? ['round.ended', 1] : ['approval.requested', 0])
  }
})

test('a result that comes while the call is still being made waits for it', async () => {
  for (const effect of ['pure', 'unsafe'] as const) {
    const taken: Promise<string>[] = []
    const it = await handingOver({
      effect,
      async run(_, { callId }) {
        taken.push(it.answer(callId))
        await taken[0]
        return answersLater('job-8')
      },
    })
    const { content, events } = await it.ask()
    expect(await taken[0]).toBe('taken')
    expect(content).toBe('Printed.')
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'ok', content: 'on paper' }])
    expect(said(events, 'tool.submitted')).toHaveLength(1)
  }
})

verifies(
  'LIN-2',
  'of calls that run beside each other those that are over are stored, and all wait behind one that is not',
  async () => {
    const it = await handingOver(
      { effect: 'pure', run: ({ n }) => (n === 2 ? answersLater(`job-${n}`) : `page ${JSON.stringify(n)}`) },
      {
        turns: [
          { calls: [1, 2, 3].map((n) => ({ name: 'print', args: { n } })).concat({ name: 'last', args: { n: 4 } }) },
          { text: 'Printed.' },
        ],
      },
    )
    const last = probe('last', { effect: 'unsafe' })
    await it.reopen({ tools: [it.print, last] })
    const { requestId } = await it.handOver()
    expect(said(await it.events(), 'tool.result').map(({ content }) => content)).toEqual(['page 1', 'page 3'])
    expect(last.runs).toEqual([])
    const [submitted] = said(await it.events(), 'tool.submitted')
    await it.answer(submitted?.callId ?? '')
    expect(await it.ended(requestId)).toMatchObject({ content: 'Printed.' })
    expect(last.runs).toHaveLength(1)
  },
)

test('what was set aside for it stays so until its result', async () => {
  const it = await handingOver({ quota: { concurrent: 1 }, cost: 500 })
  const { requestId, callId } = await it.handOver()
  const { id: sessionId } = await it.segno.createSession()
  const second = await it.ask('Go.', { sessionId })
  expect(said(second.events, 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'QUOTA' }])
  await it.answer(callId)
  expect(await it.ended(requestId)).toMatchObject({ cost: 500 })
  await it.segno.streamRequest(sessionId, 'Go.')
  for await (const frame of it.segno.follow(sessionId))
    if (frame.kind === 'event' && frame.event.type === 'tool.submitted') break
  expect(it.print.runs).toHaveLength(2)
})

test('what it charged before it was handed over is what it costs', async () => {
  const it = await handingOver({
    cost: 500,
    run(_, { charge }) {
      charge(120)
      return answersLater('job-9')
    },
  })
  const { requestId, callId } = await it.handOver()
  await it.answer(callId)
  expect(await it.ended(requestId)).toMatchObject({ cost: 120 })
})

test('a name that is none leaves the call in doubt, and a wish for more time than may be is cut', async () => {
  const it = await handingOver({ run: () => answersLater('x'.repeat(501)) })
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'error', effect: 'unknown' }])
  const clock = heldClock()
  for (const [withinMs, until] of [
    [1000, 1000],
    [1000.5, 1001],
    [Infinity, 30 * DAY],
    [Number.NaN, DAY],
    [-1, DAY],
  ] as const) {
    const other = await handingOver({ run: () => answersLater('job', { withinMs }) }, { clock })
    await other.handOver()
    expect(said(await other.events(), 'tool.submitted')).toMatchObject([{ until: clock.now() + until }])
  }
})
