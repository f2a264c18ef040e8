import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { framesOf } from '../library/support/frames.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { person } from '../library/support/people.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { channelMessage, recordingChannel } from '../library/support/recording-channel.ts'

const STRANGERS: readonly [string, Actor][] = [
  ['somebody else', person('eve')],
  ['a namesake in another tenant', { ...LOCAL_OWNER, tenant: 'elsewhere' }],
]

async function withWaitingRound() {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }, { text: 'ok' }] })
  const { round, approvals } = await u.askUntilWaiting()
  return { u, round, approvalId: approvals[0]?.id ?? '', mail }
}

for (const [who, stranger] of STRANGERS) {
  verifies('ORC-5', `a session is not there for ${who}`, async () => {
    const { u, mail } = await withWaitingRound()
    const { sessions } = u.segno
    const [event] = await u.events()
    for (const doing of [
      () => sessions.get(stranger, u.sessionId),
      () => sessions.events(stranger, u.sessionId),
      () => sessions.messages(stranger, u.sessionId),
      () => sessions.fork(stranger, u.sessionId, 1),
      () => sessions.change(stranger, u.sessionId, { title: 'mine' }),
      () => sessions.archive(stranger, u.sessionId),
      () => sessions.clear(stranger, u.sessionId),
      () => sessions.deleteMessage(stranger, u.sessionId, event?.id ?? ''),
      () => sessions.delete(stranger, u.sessionId),
      () => u.send('hello', { actor: stranger }),
      () => framesOf(u.segno.follow(u.sessionId, { actor: stranger })),
      () => u.segno.handleMessage(channelMessage('hi'), recordingChannel(), { id: u.sessionId }, { actor: stranger }),
    ]) {
      expect((await problemOf(doing)).code).toBe('NOT_FOUND')
    }
    expect((await sessions.list(stranger)).items).toEqual([])
    expect(mail.runs).toHaveLength(0)
  })

  verifies('ORC-5', `a round and what it asks are not there for ${who}`, async () => {
    const { u, round, approvalId, mail } = await withWaitingRound()
    const { rounds } = u.segno
    for (const doing of [
      () => rounds.get(stranger, round.requestId),
      () => rounds.cancel(stranger, u.sessionId, round.requestId),
      () => rounds.pause(stranger, round.requestId),
      () => rounds.resume(stranger, round.requestId),
      () => rounds.decide(stranger, approvalId, { decision: 'approve' }),
    ]) {
      expect((await problemOf(doing)).code).toBe('NOT_FOUND')
    }
    expect(await rounds.approvals(stranger)).toEqual([])
    expect(mail.runs).toHaveLength(0)
    expect((await rounds.get(LOCAL_OWNER, round.requestId)).state).toBe('waiting')
  })

  verifies('ORC-5', `a call nobody knows the effect of is not there for ${who}`, async () => {
    const mail = gateTool('mail', { effect: 'unsafe' })
    const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }], limits: { DRAIN_MS: 1 } })
    const { requestId } = await u.send()
    await mail.entered
    await u.reopen()
    await u.segno.completion(u.sessionId, requestId)
    const [call] = await u.segno.rounds.unknownCalls(LOCAL_OWNER)
    expect(await u.segno.rounds.unknownCalls(stranger)).toEqual([])
    const doing = u.segno.rounds.reconcile(stranger, call?.callId ?? '', true)
    expect((await problemOf(doing)).code).toBe('NOT_FOUND')
  })
}

verifies('ORC-5', 'an answer cannot be read by somebody else', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'secret' }] })
  const eve = person('eve')
  const { id } = await u.segno.createSession({}, { actor: eve })
  const { requestId } = await u.ask('hello', { sessionId: id, actor: eve })
  expect((await problemOf(u.segno.completion(id, requestId))).code).toBe('NOT_FOUND')
  expect(await u.segno.completion(id, requestId, { actor: eve })).toMatchObject({ content: 'secret' })
})

test('who asks to cancel the round of another cannot keep its owner from cancelling', async () => {
  const u = await segnoUnderTest({ turns: [{ fault: { kind: 'stall' } }] })
  const eve = person('eve')
  const { id } = await u.segno.createSession({}, { actor: eve })
  const round = await u.send()
  await u.segno.rounds.cancel(eve, id, round.requestId).catch(() => {})
  await round.cancel()
  expect((await round.completion).finishReason).toBe('cancelled')
})

verifies('ORC-5', 'two tenants may use the same alias for sessions of their own', async () => {
  const u = await segnoUnderTest()
  const [here, there] = [person('ada', 'here'), person('ada', 'there')]
  const first = await u.segno.createSession({ alias: 'desk:ada' }, { actor: here })
  const second = await u.segno.createSession({ alias: 'desk:ada' }, { actor: there })
  expect((await u.segno.sessions.byAlias(here, 'desk:ada'))?.id).toBe(first.id)
  expect((await u.segno.sessions.byAlias(there, 'desk:ada'))?.id).toBe(second.id)
})

verifies('ORC-5', 'an alias belongs to one session, until it is deleted', async () => {
  const u = await segnoUnderTest()
  const first = await u.segno.createSession({ alias: 'desk:ada' })
  expect((await problemOf(u.segno.createSession({ alias: 'desk:ada' }))).code).toBe('CONFLICT')
  await u.segno.sessions.delete(LOCAL_OWNER, first.id)
  const second = await u.segno.createSession({ alias: 'desk:ada' })
  expect(second.id).not.toBe(first.id)
})

test('a person without the permission for a tool is not offered it, and cannot use it', async () => {
  const mail = probe('mail', { effect: 'unsafe' })
  const u = await segnoUnderTest({
    tools: [mail, probe('look')],
    turns: [{ calls: [{ name: 'mail' }] }, { text: 'ok' }],
  })
  const eve: Actor = { ...person('eve'), permissions: ['chat:*', 'tool:look'] }
  const { id } = await u.segno.createSession({}, { actor: eve })
  const { calls } = await u.ask('hello', { sessionId: id, actor: eve })
  expect(calls).toMatchObject([{ outcome: 'refused' }])
  expect(u.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look'])
  expect(mail.runs).toHaveLength(0)
})
