import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const DAY = 86_400_000

function heldClock() {
  let now = 1_800_000_000_000
  return { now: () => now, pass: (ms: number) => void (now += ms) }
}

const mail = () => probe('mail', { effect: 'unsafe', approval: 'ask' })
const turns = [{ calls: [{ name: 'mail', args: { to: 'ann' } }] }, { text: 'Nobody said anything.' }]

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-8', `${protocol}: a question nobody answers in time is a denial with the code EXPIRED`, async () => {
    const tool = mail()
    const segno = await segnoUnderTest({ tools: [tool], turns, limits: { APPROVAL_MS: 30 } })
    const { events, content } = await segno.ask('Go.', { protocol })
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'denied', code: 'EXPIRED', effect: 'none' }])
    expect(said(events, 'approval.decided')).toMatchObject([{ decision: 'expired', by: 'system' }])
    expect(await segno.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject([{ status: 'expired' }])
    expect(content).toBe('Nobody said anything.')
    expect(tool.runs).toEqual([])
  })
}

verifies('ORC-8', 'a decision that comes after its time is refused, also before anybody noticed', async () => {
  const clock = heldClock()
  const tool = mail()
  const segno = await segnoUnderTest({ clock, tools: [tool], turns })
  const { round, approvals } = await segno.askUntilWaiting()
  clock.pass(DAY)
  await expect(segno.decide(approvals[0], 'approve')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await round.completion).toMatchObject({ calls: [{ outcome: 'denied' }] })
  expect(tool.runs).toEqual([])
})

verifies('ORC-8', 'what expired while Segno did not run is found when it does', async () => {
  const clock = heldClock()
  const segno = await segnoUnderTest({ clock, tools: [mail()], turns })
  const { round } = await segno.askUntilWaiting()
  const reopened = segno.reopen()
  clock.pass(2 * DAY)
  await reopened
  const { calls } = await segno.segno.completion(segno.sessionId, round.requestId)
  expect(calls).toMatchObject([{ outcome: 'denied' }])
})

verifies('ORC-8', 'a question says until when it can be answered, and waits that long', async () => {
  const clock = heldClock()
  const segno = await segnoUnderTest({ clock, tools: [mail()], turns })
  const { round, approvals } = await segno.askUntilWaiting()
  expect(approvals).toMatchObject([{ expiresAt: clock.now() + DAY }])
  clock.pass(DAY - 1)
  await segno.decide(approvals[0], 'approve')
  expect(await round.completion).toMatchObject({ calls: [{ outcome: 'ok' }] })
})
