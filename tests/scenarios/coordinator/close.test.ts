import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Store } from '../../../src/store/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { ownTime } from '../../support/own-time.ts'

const HOLDING = [{ calls: [{ name: 'hold' }] }, { text: 'There.' }]

verifies('COO-10', 'while it closes, Segno takes no new message and lets the running ones finish', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { DRAIN_MS: 10_000 } })
  const other = await u.segno.createSession()
  const running = await u.send()
  await hold.entered
  const closing = u.segno.close()
  for (const sessionId of [u.sessionId, other.id]) {
    const problem = await problemOf(u.send('more', { sessionId }))
    expect(problem.code).toBe('SHUTTING_DOWN')
    expect(problem.retryAfterMs).toBeGreaterThan(0)
  }
  hold.open()
  await closing
  expect(await running.completion).toMatchObject({ finishReason: 'complete', content: 'There.' })
})

verifies(
  ['COO-10', 'REL-1'],
  'a round that takes longer than it gets is left, and goes on when Segno opens again',
  async () => {
    const hold = gateTool()
    const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { DRAIN_MS: 30 } })
    const running = await u.send()
    await hold.entered
    const took = ownTime()
    await u.segno.close()
    expect(took()).toBeLessThan(1500)
    expect((await running.completion).finishReason).toBe(null)
    hold.open()
    await u.reopen()
    expect(await u.segno.completion(u.sessionId, running.requestId)).toMatchObject({ finishReason: 'complete' })
    expect(said(await u.events(), 'round.resumed')).toMatchObject([{ reason: 'takeover', n: 1 }])
  },
)

verifies(['COO-10', 'REL-2'], 'an unsafe call that was left is not carried out again', async () => {
  const mail = gateTool('hold', { effect: 'unsafe' })
  const u = await segnoUnderTest({ tools: [mail], turns: HOLDING, limits: { DRAIN_MS: 1 } })
  const { requestId } = await u.send()
  await mail.entered
  await u.reopen()
  const completion = await u.segno.completion(u.sessionId, requestId)
  expect(completion.calls).toMatchObject([{ outcome: 'unknown', effect: 'unknown' }])
  expect(mail.runs).toHaveLength(1)
})

verifies('COO-10', 'messages that wait when Segno closes are not begun', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { DRAIN_MS: 10_000 } })
  await u.send('running')
  await hold.entered
  const waiting = await u.send('waiting')
  const closing = u.segno.close()
  hold.open()
  await closing
  expect((await waiting.completion).finishReason).toBe(null)
  await u.reopen()
  expect((await u.segno.completion(u.sessionId, waiting.requestId)).finishReason).toBe('complete')
})

verifies('COO-10', 'a tool that does not listen does not keep Segno from closing', async () => {
  const stubborn = probe('hold', { run: () => new Promise(() => {}) })
  const u = await segnoUnderTest({ tools: [stubborn], turns: HOLDING, limits: { DRAIN_MS: 1 } })
  await u.send()
  await eventually(() => stubborn.runs.length === 1)
  const took = ownTime()
  await u.segno.close()
  expect(took()).toBeLessThan(1500)
})

verifies('COO-10', 'closing twice, or at the same time, is closing once', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.ask()
  await Promise.all([u.segno.close(), u.segno.close()])
  await u.segno.close()
})

verifies('COO-10', 'nothing reaches the database once it is closed', async () => {
  const calls: string[] = []
  const noted = (open: () => Store): Store =>
    Object.fromEntries(
      Object.entries(open()).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
        name,
        (...args: unknown[]) => {
          calls.push(name)
          return method(...args)
        },
      ]),
    ) as unknown as Store
  const hold = gateTool()
  const model = { scenarios: [{ when: '', turns: HOLDING }] }
  const segno = await openSegno({ model, tools: [hold], limits: { DRAIN_MS: 1 } }, { store: noted })
  const { id } = await segno.createSession()
  await segno.streamRequest(id, 'one')
  await segno.streamRequest(id, 'two')
  await hold.entered
  await segno.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(calls.filter((name) => name === 'close')).toHaveLength(1)
  expect(calls.slice(calls.indexOf('close') + 1)).toEqual([])
})

test('what waits for a person does not keep Segno from closing', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const turns = [{ calls: [{ name: 'mail' }] }, { text: 'sent' }]
  const u = await segnoUnderTest({ tools: [mail], turns, limits: { DRAIN_MS: 10_000 } })
  const { round, approvals } = await u.askUntilWaiting()
  await u.reopen()
  await u.segno.rounds.decide(LOCAL_OWNER, approvals[0]?.id ?? '', { decision: 'approve' })
  expect((await u.segno.completion(u.sessionId, round.requestId)).calls).toMatchObject([{ outcome: 'ok' }])
})

test('a start that fails leaves the database free for the next one', async () => {
  const home = tempHome()
  const first = await openSegno({ home, model: {} })
  await first.createSession()
  await first.close()
  writeFileSync(join(home, 'a-file'), '')
  const problem = await problemOf(openSegno({ home, model: {}, folder: join(home, 'a-file', 'workspace') }))
  expect(problem.code).toBe('STORE_UNAVAILABLE')
  const took = ownTime()
  const segno = await openSegno({ home, model: {} })
  // Less than a node is waited for that did not say goodbye.
  expect(took()).toBeLessThan(5000)
  expect((await segno.sessions.list(LOCAL_OWNER)).items).toHaveLength(1)
})
