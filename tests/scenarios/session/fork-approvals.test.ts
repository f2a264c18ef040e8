import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const turns = [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Done.' }]

verifies('ORC-8', 'what was approved for the rest of a session asks again in its fork', async () => {
  const tool = probe('pay', { effect: 'unsafe', approval: 'ask' })
  const it = await segnoUnderTest({ tools: [tool], turns })
  const { round, approvals } = await it.askUntilWaiting()
  await it.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  expect((await it.ask()).calls).toMatchObject([{ outcome: 'ok' }])
  const { seq } = await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)
  const fork = await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, seq)
  const answer = await it.ask('Go.', { sessionId: fork.id, attended: false })
  expect(answer.calls).toMatchObject([{ outcome: 'denied' }])
  expect(tool.runs).toHaveLength(2)
})

verifies('REL-2', 'a fork settles for itself what it inherited in doubt', async () => {
  const tool = probe('pay', {
    effect: 'unsafe',
    run: () => Promise.reject(Object.assign(new Error('lost'), { effect: 'unknown' })),
  })
  const it = await segnoUnderTest({ tools: [tool], turns })
  await it.ask()
  const [call] = await it.segno.rounds.unknownCalls(LOCAL_OWNER)
  const { seq } = await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)
  const fork = await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, seq)
  await it.segno.rounds.reconcile(LOCAL_OWNER, call?.callId ?? '', true)
  const before = await it.ask('Go.', { sessionId: fork.id, attended: false })
  expect(before.calls).toMatchObject([{ outcome: 'denied' }])
  await it.segno.rounds.reconcile(LOCAL_OWNER, call?.callId ?? '', true, 'looked', fork.id)
  const after = await it.ask('Go.', { sessionId: fork.id, attended: false })
  expect(after.calls).toMatchObject([{ outcome: 'error' }])
})
