import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { writtenIn } from '../../support/written-in.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { channelMessage, recordingChannel } from '../library/support/recording-channel.ts'

verifies('ORC-5', 'a deleted session is gone, with its rounds, approvals and messages', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }] })
  const { round, approvals } = await u.askUntilWaiting()
  const { sessions, rounds } = u.segno
  await sessions.delete(LOCAL_OWNER, u.sessionId)
  for (const doing of [
    () => sessions.get(LOCAL_OWNER, u.sessionId),
    () => sessions.events(LOCAL_OWNER, u.sessionId),
    () => sessions.messages(LOCAL_OWNER, u.sessionId),
    () => sessions.fork(LOCAL_OWNER, u.sessionId, 1),
    () => sessions.delete(LOCAL_OWNER, u.sessionId),
    () => rounds.get(LOCAL_OWNER, round.requestId),
    () => rounds.decide(LOCAL_OWNER, approvals[0]?.id ?? '', { decision: 'approve' }),
    () => u.send('more'),
  ]) {
    expect((await problemOf(doing)).code).toBe('NOT_FOUND')
  }
  expect((await sessions.list(LOCAL_OWNER)).items).toEqual([])
  expect(await rounds.approvals(LOCAL_OWNER)).toEqual([])
  expect(mail.runs).toHaveLength(0)
})

verifies('ORC-5', 'a deleted session stays gone after a restart', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.ask()
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  await u.reopen()
  expect((await problemOf(u.segno.sessions.get(LOCAL_OWNER, u.sessionId))).code).toBe('NOT_FOUND')
  expect((await u.segno.check()).findings).toEqual([])
})

verifies(['ORC-5', 'COO-5'], 'deleting a session stops the round that is running in it', async () => {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const u = await segnoUnderTest({ tools: [hold], turns: [{ calls: [{ name: 'hold' }] }] })
  const running = await u.send()
  await hold.entered
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  expect((await running.completion).finishReason).toBe('cancelled')
  expect(hold.runs[0]?.ctx.signal.aborted).toBe(true)
  expect(u.segno.stats()).toMatchObject({ live: 0, running: 0, queued: 0 })
})

verifies('ORC-5', 'what was said in a deleted session is erased from the files of the database', async () => {
  const huge = 'CONFIDENTIAL '.repeat(20_000)
  const tell = probe('tell', { run: () => huge })
  const script = { scenarios: [{ when: 'CONFIDENTIAL', turns: [{ calls: [{ name: 'tell' }] }, { text: 'ok' }] }] }
  const u = await segnoUnderTest({ tools: [tell], script })
  const other = await u.segno.createSession({ title: 'Other' })
  await u.ask('this is CONFIDENTIAL')
  await u.ask('this is public', { sessionId: other.id })
  expect(await writtenIn(u.home)).toContain('CONFIDENTIAL')
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  await eventually(async () => !(await writtenIn(u.home)).includes('CONFIDENTIAL'))
  expect(JSON.stringify(await u.segno.sessions.messages(LOCAL_OWNER, other.id))).toContain('this is public')
})

verifies(['ORC-5', 'LIN-6'], 'a fork keeps what it shares with a session that is deleted and erased', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('shared words')
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
  await u.ask('private words')
  const before = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  await eventually(async () => !(await writtenIn(u.home)).includes('private words'))
  expect(await u.segno.sessions.events(LOCAL_OWNER, fork.id)).toEqual(before)
  expect(await u.ask('more', { sessionId: fork.id })).toMatchObject({ content: 'Echo: more' })
  await u.segno.sessions.delete(LOCAL_OWNER, fork.id)
  await eventually(async () => !(await writtenIn(u.home)).includes('shared words'))
})

verifies('ORC-5', 'after a deletion the user of a channel starts anew', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const first = await u.segno.handleMessage(channelMessage('one'), recordingChannel())
  await u.segno.sessions.delete(LOCAL_OWNER, first.sessionId)
  const second = await u.segno.handleMessage(channelMessage('two', { id: 'm2' }), recordingChannel())
  expect(second.sessionId).not.toBe(first.sessionId)
})

test('deleting a session twice at once deletes it once', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.ask()
  const twice = await Promise.allSettled([1, 2].map(() => u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)))
  expect(twice.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect((await u.segno.check()).findings).toEqual([])
})
