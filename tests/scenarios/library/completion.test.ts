import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from './support/open-segno.ts'
import { problemOf } from './support/problem-of.ts'

const STALL = { text: 'half', fault: { kind: 'stall', afterDeltas: 1 } } as const

verifies('COO-1', 'completion tells the answer, how it ended, its tokens, its cost and its calls', async () => {
  const buy = probe('buy', { effect: 'keyed', cost: 250 })
  const usage = { input: 10, output: 5 }
  const turns = [
    { calls: [{ name: 'buy' }], usage },
    { text: 'Bought.', usage },
  ]
  const u = await segnoUnderTest({ tools: [buy], turns })
  const { requestId, completion } = await u.send()
  const { calls, ...rest } = await completion
  expect(rest).toEqual({
    requestId,
    sessionId: u.sessionId,
    content: 'Bought.',
    finishReason: 'complete',
    usage: { input: 20, output: 10 },
    cost: 250,
  })
  expect(calls).toMatchObject([{ name: 'buy', outcome: 'ok', effect: 'done' }])
})

verifies('COO-1', 'completion resolves when the model fails, and says why', async () => {
  const u = await segnoUnderTest({ turns: [{ fault: { kind: 'error', status: 401 } }] })
  const completion = await (await u.send()).completion
  expect(completion.finishReason).toBe('error')
  expect(completion.error).toContain('the key was refused')
})

verifies('COO-1', 'completion resolves when the round is cancelled', async () => {
  const u = await segnoUnderTest({ turns: [STALL] })
  const request = await u.send()
  await u.until('turn.started')
  await request.cancel()
  expect(await request.completion).toMatchObject({ finishReason: 'cancelled', content: '(Stopped on request.)' })
})

verifies('COO-1', 'completion resolves when the time is up', async () => {
  const u = await segnoUnderTest({ turns: [STALL] })
  const request = await u.send('hello', { timeoutMs: 30 })
  expect(await request.completion).toMatchObject({ finishReason: 'timeout' })
})

verifies(
  'COO-1',
  'completion resolves without a finish reason when Segno closes before the round is over',
  async () => {
    const u = await segnoUnderTest({ turns: [STALL], limits: { DRAIN_MS: 1 } })
    const running = await u.send('running')
    const queued = await u.send('queued')
    await u.segno.close()
    expect(await running.completion).toMatchObject({ finishReason: null, content: '' })
    expect(await queued.completion).toMatchObject({ finishReason: null, content: '' })
  },
)

verifies('COO-1', 'completion resolves without a finish reason when Segno closes while the round waits', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }] })
  const { round } = await u.askUntilWaiting()
  await u.segno.close()
  expect((await round.completion).finishReason).toBe(null)
})

verifies(
  'COO-1',
  'completion resolves when the session is deleted, also for a message that was still queued',
  async () => {
    const u = await segnoUnderTest({ turns: [STALL] })
    const running = await u.send('running')
    const queued = await u.send('queued')
    await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
    expect((await running.completion).finishReason).toBe('cancelled')
    expect((await queued.completion).finishReason).toBe(null)
  },
)

verifies('COO-1', 'completion can be asked for by whoever knows the round, also after its end', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const request = await u.send()
  const answer = await request.completion
  expect(await u.segno.completion(u.sessionId, request.requestId)).toEqual(answer)
})

verifies('COO-1', 'completion of a round that Segno went on with after a restart is the whole answer', async () => {
  const u = await segnoUnderTest({ turns: [STALL], limits: { DRAIN_MS: 1 } })
  const { requestId } = await u.send()
  await u.until('turn.started')
  await u.reopen({ turns: [{ text: 'whole' }] })
  expect(await u.segno.completion(u.sessionId, requestId)).toMatchObject({ finishReason: 'complete', content: 'whole' })
})

verifies('COO-10', 'after closing, asking is refused instead of left hanging', async () => {
  const segno = await openSegno({ model: {} })
  const { id } = await segno.createSession()
  const { requestId, completion } = await segno.streamRequest(id, 'hello')
  await completion
  await segno.close()
  expect((await problemOf(segno.streamRequest(id, 'again'))).code).toBe('SHUTTING_DOWN')
  expect((await problemOf(segno.completion(id, requestId))).code).toBe('SHUTTING_DOWN')
  expect((await problemOf(segno.sessions.get(LOCAL_OWNER, id))).code).toBe('SHUTTING_DOWN')
})
