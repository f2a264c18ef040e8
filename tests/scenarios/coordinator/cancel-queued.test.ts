import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { textOf } from '../../../src/contract/message.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { problemOf } from '../library/support/problem-of.ts'

const script = {
  scenarios: [
    { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] },
    { when: '^stall', turns: [{ fault: { kind: 'stall' as const } }] },
  ],
}

/** A round waits for a person, and a message waits behind it. */
async function behindAnApproval(more: Opening = {}) {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], script, ...more })
  const { round, approvals } = await u.askUntilWaiting('mail')
  const queued = await u.send('a secret plan')
  return { u, round, queued, approval: approvals[0] }
}

verifies('COO-5', 'cancelling a message that waits behind an approval ends it now, and nothing else', async () => {
  const { u, round, queued, approval } = await behindAnApproval()
  const next = await u.send('next')
  await queued.cancel()
  expect(await queued.completion).toMatchObject({ finishReason: 'cancelled', content: '', cost: 0 })
  expect(await u.segno.rounds.get(LOCAL_OWNER, round.requestId)).toMatchObject({ state: 'waiting' })
  expect(await u.segno.rounds.get(LOCAL_OWNER, queued.requestId)).toMatchObject({
    state: 'ended',
    finishReason: 'cancelled',
    model: expect.any(String) as string,
  })
  expect(await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)).toMatchObject({
    open: { requestId: round.requestId, state: 'waiting' },
  })
  await u.decide(approval, 'approve')
  expect(await round.completion).toMatchObject({ finishReason: 'complete', content: 'Sent.' })
  expect(await next.completion).toMatchObject({ content: 'Echo: next' })
  const events = await u.events()
  expect(events.filter(({ requestId }) => requestId === queued.requestId).map(({ type }) => type)).toEqual([
    'round.ended',
  ])
  expect(said(events, 'message.user').map(({ content }) => textOf(content))).toEqual(['mail', 'next'])
  expect(JSON.stringify(u.requests.map(({ prompt }) => prompt))).not.toContain('a secret plan')
  expect(await u.segno.check()).toMatchObject({ ok: true })
})

verifies('COO-5', 'a message that waits for a slot is cancelled without a word of it in the conversation', async () => {
  const u = await segnoUnderTest({ script, limits: { MAX_ROUNDS: 1 } })
  await u.send('stall')
  const { id } = await u.segno.createSession()
  const queued = await u.send('a secret plan', { sessionId: id })
  await queued.cancel()
  expect((await queued.completion).finishReason).toBe('cancelled')
  const events = await u.segno.sessions.events(LOCAL_OWNER, id)
  expect(events.map(({ type }) => type)).toEqual(['session.created', 'round.ended'])
})

test('a cancelled message stays cancelled after a restart, and the round before it goes on', async () => {
  const { u, round, queued, approval } = await behindAnApproval()
  await queued.cancel()
  await queued.completion
  await u.reopen()
  await u.decide(approval, 'approve')
  expect(await u.segno.completion(u.sessionId, round.requestId)).toMatchObject({ content: 'Sent.' })
  expect(await u.segno.completion(u.sessionId, queued.requestId)).toMatchObject({ finishReason: 'cancelled' })
  expect(said(await u.events(), 'round.ended').map(({ finishReason }) => finishReason)).toEqual([
    'cancelled',
    'complete',
  ])
})

verifies(
  'REL-1',
  'a cancel that was stored when the process died takes the message away at the next start',
  async () => {
    const { u, round, queued, approval } = await behindAnApproval()
    await u.segno.close()
    const store = await openStoreOf(u.home, 'full')
    const { requestId } = queued
    const input = { id: crypto.randomUUID(), sessionId: u.sessionId, key: `cancel:${requestId}`, at: Date.now() }
    await store.putInput({ ...input, body: { kind: 'cancel', requestId, by: LOCAL_OWNER.id } })
    await store.close()
    await u.reopen()
    expect(await u.segno.completion(u.sessionId, requestId)).toMatchObject({ finishReason: 'cancelled' })
    expect(await u.segno.rounds.get(LOCAL_OWNER, round.requestId)).toMatchObject({ state: 'waiting' })
    await u.decide(approval, 'approve')
    await u.segno.completion(u.sessionId, round.requestId)
    expect(JSON.stringify(await u.events())).not.toContain('a secret plan')
  },
)

test('a fork inherits the open round, not the one that was cancelled behind it', async () => {
  const { u, round, queued } = await behindAnApproval()
  await queued.cancel()
  await queued.completion
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
  const own = (await u.segno.sessions.events(LOCAL_OWNER, fork.id)).filter((event) => event.seq > seq)
  expect(own.at(-1)).toMatchObject({ type: 'round.ended', requestId: round.requestId })
})

test('followers of the session and of the open round are not told that it has ended', async () => {
  const { u, round, queued } = await behindAnApproval()
  const waiting = await u.segno.sessions.events(LOCAL_OWNER, u.sessionId)
  await queued.cancel()
  await queued.completion
  const rest = waiting.at(-1)?.seq ?? 0
  const stream = u.segno.stream(LOCAL_OWNER, {
    sessionId: u.sessionId,
    requestId: round.requestId,
    dialect: 'chat',
    endsAtRest: true,
    workspaceId: '',
    outputs: false,
    cursor: { seq: rest - 1 },
  })
  const frames = []
  for await (const batch of stream) frames.push(...batch)
  expect(frames.map(({ event }) => event)).toEqual([])
})

verifies('REL-3', 'what waits already is acknowledged again and stored once', async () => {
  const hold = probe('hold', { run: () => new Promise(() => {}) })
  const busy = { scenarios: [{ when: '^busy', turns: [{ calls: [{ name: 'hold' }] }] }] }
  const u = await segnoUnderTest({ tools: [hold], script: busy, limits: { WAITING_INPUTS: 3 } })
  const { requestId } = await u.send('busy')
  await u.until('round.started')
  const queued = await u.send('later')
  for (let i = 0; i < 10; i++) await u.segno.rounds.pause(LOCAL_OWNER, queued.requestId)
  for (let i = 0; i < 10; i++) expect(await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)).toBe('later')
  const full = await problemOf(u.send('too much'))
  expect(full).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('WAITING_INPUTS') as string })
  expect(full.retryAfterMs).toBeGreaterThan(0)
  for (let i = 0; i < 10; i++) await u.segno.rounds.cancel(LOCAL_OWNER, u.sessionId, queued.requestId)
  await u.segno.rounds.cancel(LOCAL_OWNER, u.sessionId, requestId)
  await queued.completion
  expect(said(await u.events(), 'context.cleared')).toHaveLength(1)
})
