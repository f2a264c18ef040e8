import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Store } from '../../../src/store/index.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from './support/gate-tool.ts'
import { openSegno, tempHome } from './support/open-segno.ts'
import { problemOf } from './support/problem-of.ts'

const STALL = { text: '…', fault: { kind: 'stall' } } as const

/** What another process would find if this one died now: the files as they are, opened somewhere else. */
function onDisk(home: string, table: 'events' | 'inputs'): string {
  const copy = tempHome()
  for (const file of ['segno.db', 'segno.db-wal']) cpSync(join(home, file), join(copy, file))
  using db = new DatabaseSync(join(copy, 'segno.db'))
  return JSON.stringify(db.prepare(`SELECT body FROM ${table}`).all())
}

verifies(['COO-1', 'REL-1'], 'a message is on disk by the time its sender gets the round id', async () => {
  const home = tempHome()
  const segno = await openSegno({ home, durability: 'full', model: { otherwise: STALL } })
  const { id } = await segno.createSession()
  const { requestId } = await segno.streamRequest(id, 'remember the milk')
  const found = onDisk(home, 'events')
  expect(found).toContain('remember the milk')
  expect(found).toContain(requestId)
})

verifies(['COO-1', 'REL-1', 'REL-3'], 'a message that has to wait is on disk as an input just the same', async () => {
  const home = tempHome()
  const segno = await openSegno({ home, durability: 'full', model: { otherwise: STALL } })
  const { id } = await segno.createSession()
  await segno.streamRequest(id, 'first')
  const second = await segno.streamRequest(id, 'remember the milk')
  expect(second.state).toBe('queued')
  expect(onDisk(home, 'inputs')).toContain('remember the milk')
})

verifies('COO-1', 'the answer to a request is the round, under both of its names', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const request = await u.send('hello')
  expect(request.responseId).toBe(request.requestId)
  await request.completion
  expect(await u.segno.rounds.get(LOCAL_OWNER, request.requestId)).toMatchObject({
    requestId: request.requestId,
    sessionId: u.sessionId,
    state: 'ended',
  })
})

verifies('COO-1', 'asking returns while the model is still silent', async () => {
  const u = await segnoUnderTest({ turns: [STALL] })
  const request = await u.send()
  expect(request.state).toBe('running')
  expect((await u.segno.rounds.get(LOCAL_OWNER, request.requestId)).state).toBe('running')
})

verifies('COO-1', 'timeoutMs lowers the driving time of the round, and never raises it', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }], limits: { TOTAL_MS: 5000 } })
  const limitsOf = async (timeoutMs: number) => {
    const { events } = await u.ask('hello', { timeoutMs })
    return events.flatMap((event) => (event.type === 'round.started' ? [event.data.limits.totalMs] : []))
  }
  expect(await limitsOf(1234)).toEqual([1234])
  expect(await limitsOf(60_000)).toEqual([5000])
})

verifies('COO-1', 'a round that takes longer than its timeoutMs ends with timeout and keeps what it said', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'half', fault: { kind: 'stall', afterDeltas: 1 } }] })
  const { finishReason, events } = await u.ask('hello', { timeoutMs: 300 })
  expect(finishReason).toBe('timeout')
  expect(JSON.stringify(events)).toContain('half')
})

test('a timeoutMs that is no whole number is refused, and nothing is stored', async () => {
  const u = await segnoUnderTest()
  const before = await u.events()
  for (const timeoutMs of [-1, 0.5, Number.NaN]) {
    expect(await problemOf(u.send('hello', { timeoutMs }))).toMatchObject({ code: 'VALIDATION_ERROR' })
  }
  expect(await u.events()).toEqual(before)
})

verifies(['COO-1', 'COO-5'], 'aborting the signal of a request cancels its round', async () => {
  const u = await segnoUnderTest({ turns: [STALL] })
  const controller = new AbortController()
  const request = await u.send('hello', { signal: controller.signal })
  controller.abort()
  expect((await request.completion).finishReason).toBe('cancelled')
})

test('a request whose signal is aborted already sends nothing', async () => {
  const u = await segnoUnderTest()
  const before = await u.events()
  await expect(u.send('hello', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect(await u.events()).toEqual(before)
})

test('a signal that aborts after the end changes nothing', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const controller = new AbortController()
  const request = await u.send('hello', { signal: controller.signal })
  await request.completion
  const before = await u.events()
  controller.abort()
  await u.ask('again')
  expect((await u.events()).slice(0, before.length)).toEqual(before)
  expect(JSON.stringify(await u.events())).not.toContain('round.asked')
})

verifies('COO-1', 'cancelling twice, and once more after the end, ends the round once', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: [{ calls: [{ name: 'hold' }] }] })
  const request = await u.send()
  await hold.entered
  await Promise.all([request.cancel(), request.cancel()])
  expect((await request.completion).finishReason).toBe('cancelled')
  await request.cancel()
  const types = (await u.events()).map((event) => event.type)
  expect(types.filter((type) => type === 'round.asked')).toHaveLength(1)
  expect(types.filter((type) => type === 'round.ended')).toHaveLength(1)
})

test('a request that is refused leaves nobody listening', async () => {
  let listening = 0
  const counted = (open: () => Store): Store => {
    const store = open()
    return {
      ...store,
      subscribe(listener) {
        const unsubscribe = store.subscribe(listener)
        listening += 1
        return () => {
          listening -= 1
          unsubscribe()
        }
      },
    }
  }
  const segno = await openSegno({ model: {} }, { store: counted })
  const { id } = await segno.createSession()
  const before = listening
  for (let i = 0; i < 20; i++) await problemOf(segno.streamRequest(id, ''))
  await (
    await segno.streamRequest(id, 'hello', { messageId: 'a' })
  ).completion
  await (
    await segno.streamRequest(id, 'hello', { messageId: 'a' })
  ).completion
  expect(listening).toBe(before)
})

test('stream and completionPromise are the turns and the completion under the names other systems use', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const request = await u.send('hello')
  const seen: string[] = []
  for await (const turn of request.stream) seen.push(turn.status)
  expect(seen.at(-1)).toBe('completed')
  expect(await request.completionPromise).toEqual(await request.completion)
})

test('either signal cancels, under whichever name it is given', async () => {
  for (const give of [
    (signal: AbortSignal) => ({ abortSignal: signal }),
    (signal: AbortSignal) => ({ signal, abortSignal: new AbortController().signal }),
    (signal: AbortSignal) => ({ signal: new AbortController().signal, abortSignal: signal }),
  ]) {
    const u = await segnoUnderTest({ turns: [STALL] })
    const stop = new AbortController()
    const request = await u.send('hello', give(stop.signal))
    stop.abort()
    expect((await request.completion).finishReason).toBe('cancelled')
    await expect(u.send('hello', give(stop.signal))).rejects.toThrow()
  }
})

test('getMetrics has what stats has, and what was answered since the start', async () => {
  const u = await segnoUnderTest({
    script: {
      scenarios: [{ when: 'break', turns: [{ fault: { kind: 'error', status: 400 } }] }],
      otherwise: { text: 'hi' },
    },
  })
  expect(u.segno.getMetrics()).toMatchObject({ activeStreams: 0, totalRequestsProcessed: 0, errorRate: 0 })
  await u.ask('hello')
  await u.ask('hello')
  await u.ask('hello')
  await u.ask('break')
  const { memoryUsage, totalStreamingTimeMs, averageResponseTimeMs, ...numbers } = u.segno.getMetrics()
  expect(numbers).toEqual({ ...u.segno.stats(), activeStreams: 0, totalRequestsProcessed: 4, errorRate: 0.25 })
  expect(averageResponseTimeMs).toBeCloseTo(totalStreamingTimeMs / 4)
  expect(memoryUsage.heapUsed).toBeGreaterThan(0)
})
