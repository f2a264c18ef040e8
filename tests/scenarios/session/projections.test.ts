import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { richSession } from './support/rich-session.ts'

const usage = { input: 7, output: 3 }

verifies('COO-2', 'a round can be read while it runs, waits and after it has ended', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask', cost: 40 })
  const turns = [
    { calls: [{ name: 'mail' }], usage },
    { text: 'sent', usage },
  ]
  const u = await segnoUnderTest({ tools: [mail], turns })
  const before = Date.now()
  const { round, approvals } = await u.askUntilWaiting('Go.', { mode: 'act' })
  const read = () => u.segno.rounds.get(LOCAL_OWNER, round.requestId)
  expect(await read()).toMatchObject({ state: 'waiting', waitingFor: 'approval', model: 'scripted', mode: 'act' })
  await u.decide(approvals[0], 'approve')
  await round.completion
  const ended = await read()
  expect(ended).toMatchObject({
    requestId: round.requestId,
    sessionId: u.sessionId,
    state: 'ended',
    protocol: 'unified',
    finishReason: 'complete',
    usage: { input: 14, output: 6 },
    cost: 40,
    startSeq: 2,
    endSeq: (await u.events()).length,
  })
  expect(ended.waitingFor).toBe(undefined)
  expect(ended.startedAt).toBeGreaterThanOrEqual(before)
  expect(ended.endedAt).toBeGreaterThanOrEqual(ended.startedAt)
})

verifies('COO-2', 'a session can be read and listed, newest first', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const { id: workspaceId } = await u.segno.workspaces.create(LOCAL_OWNER, { name: 'Work' })
  const second = await u.segno.createSession({ title: 'Second', alias: 'two', workspaceId })
  expect(second).toMatchObject({ title: 'Second', alias: 'two', workspaceId, seq: 1, archived: false })
  const { items, next } = await u.segno.sessions.list(LOCAL_OWNER, { limit: 1 })
  expect(items).toEqual([second])
  const rest = await u.segno.sessions.list(LOCAL_OWNER, { limit: 1, cursor: next ?? '' })
  expect(rest).toMatchObject({ items: [{ id: u.sessionId }], next: null })
})

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('COO-2', `what can be read equals what the log says, also after a restart (${protocol})`, async () => {
    const { u } = await richSession(protocol)
    const report = await u.segno.check()
    expect(report).toMatchObject({ ok: true, findings: [] })
    const sessions = await u.segno.sessions.list(LOCAL_OWNER)
    const approvals = await u.segno.rounds.approvals(LOCAL_OWNER)
    await u.reopen()
    expect(await u.segno.sessions.list(LOCAL_OWNER)).toEqual(sessions)
    expect(await u.segno.rounds.approvals(LOCAL_OWNER)).toEqual(approvals)
    expect(await u.segno.check()).toEqual(report)
  })
}
