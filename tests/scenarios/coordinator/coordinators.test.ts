import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const script = {
  scenarios: [
    { when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'ok' }] },
    { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'sent' }] },
  ],
}

const newSession = async (u: SegnoUnderTest): Promise<string> => (await u.segno.createSession()).id

verifies('COO-4', 'a session that is made takes no coordinator until somebody writes to it', async () => {
  const u = await segnoUnderTest()
  expect(u.segno.stats().live).toBe(0)
  await u.ask()
  expect(u.segno.stats().live).toBe(1)
})

verifies('COO-4', 'past the limit the coordinator that was idle longest gives way', async () => {
  const u = await segnoUnderTest({ script: {}, limits: { MAX_COORDINATORS: 2 } })
  for (let i = 0; i < 5; i++) {
    await u.ask('hello', { sessionId: await newSession(u) })
    await eventually(() => u.segno.stats().running === 0)
    expect(u.segno.stats().live).toBeLessThanOrEqual(2)
  }
})

verifies(['COO-4', 'LIN-1'], 'a session whose coordinator was dropped goes on as if nothing had been', async () => {
  const u = await segnoUnderTest({ script: {}, limits: { MAX_COORDINATORS: 1 } })
  await u.ask('one')
  await u.ask('elsewhere', { sessionId: await newSession(u) })
  await u.ask('two')
  const messages = await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)
  expect(messages).toHaveLength(4)
  expect((await u.events()).map(({ seq }) => seq)).toEqual((await u.events()).map((_, i) => i + 1))
})

verifies('COO-4', 'a coordinator at work never gives way; the newcomer is told when to come again', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script, limits: { MAX_COORDINATORS: 1 } })
  const running = await u.send('hold')
  await hold.entered
  const problem = await problemOf(u.send('hello', { sessionId: await newSession(u) }))
  expect(problem.code).toBe('RATE_LIMITED')
  expect(problem.retryAfterMs).toBeGreaterThan(0)
  hold.open()
  expect((await running.completion).finishReason).toBe('complete')
})

verifies('COO-4', 'a session that waits for a person may give way, and the decision still reaches it', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], script, limits: { MAX_COORDINATORS: 1 } })
  const { round, approvals } = await u.askUntilWaiting('mail')
  await eventually(() => u.segno.stats().running === 0)
  await u.ask('hello', { sessionId: await newSession(u) })
  await eventually(() => u.segno.stats().running === 0)
  await u.decide(approvals[0], 'approve')
  expect((await round.completion).calls).toMatchObject([{ outcome: 'ok' }])
  expect(mail.runs).toHaveLength(1)
})

verifies('COO-4', 'many sessions at few coordinators are each answered or refused, and never broken', async () => {
  const u = await segnoUnderTest({ script: {}, limits: { MAX_COORDINATORS: 2 } })
  const sessions = await Promise.all(Array.from({ length: 40 }, () => newSession(u)))
  const outcomes = await Promise.all(
    sessions.map(async (sessionId, i) => {
      for (let tick = 0; tick < i % 7; tick++) await Promise.resolve()
      if (i % 3 === 0) await new Promise(setImmediate)
      return u.ask('hello', { sessionId }).then(
        ({ finishReason }) => finishReason,
        (error: unknown) => (error instanceof Problem ? error.code : error),
      )
    }),
  )
  for (const outcome of outcomes) expect(['complete', 'RATE_LIMITED']).toContain(outcome)
  expect(outcomes).toContain('complete')
})

verifies('COO-4', 'a session somebody is about to write to does not give way', async () => {
  const u = await segnoUnderTest({ script: {}, limits: { MAX_COORDINATORS: 1 } })
  const other = await newSession(u)
  const ask = async (sessionId: string, ticks: number): Promise<unknown> => {
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    return u.ask('hello', { sessionId }).then(
      ({ finishReason }) => finishReason,
      (error: unknown) => (error instanceof Problem ? error.code : error),
    )
  }
  for (let ticks = 0; ticks < 20; ticks++) {
    await ask(u.sessionId, 0)
    await eventually(() => u.segno.stats().running === 0)
    for (const outcome of await Promise.all([ask(other, 0), ask(u.sessionId, ticks)])) {
      expect(['complete', 'RATE_LIMITED']).toContain(outcome)
    }
    await eventually(() => u.segno.stats().running === 0)
  }
})

verifies('COO-4', 'a coordinator nobody used for a while is dropped, one at work is not', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script, limits: { IDLE_MS: 1 } })
  const idle = await newSession(u)
  await u.ask('hello', { sessionId: idle })
  const running = await u.send('hold')
  await hold.entered
  await eventually(() => u.segno.stats().live === 1)
  expect(u.segno.stats().running).toBe(1)
  hold.open()
  expect((await running.completion).finishReason).toBe('complete')
  expect(await u.ask('again', { sessionId: idle })).toMatchObject({ finishReason: 'complete' })
})
