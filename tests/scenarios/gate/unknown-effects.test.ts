import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** An automatic tool whose first `lost` runs never come back. */
function pay(lost = 1) {
  const tool = probe('pay', {
    effect: 'unsafe',
    timeoutMs: 10,
    run: (_, { signal }) =>
      tool.runs.length > lost ? 'paid' : new Promise((resolve) => signal.addEventListener('abort', () => resolve(''))),
  })
  return tool
}
const script = {
  scenarios: [
    { when: 'ann', turns: [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Done.' }] },
    { when: 'bob', turns: [{ calls: [{ name: 'pay', args: { to: 'bob' } }] }, { text: 'Done.' }] },
  ],
}

/** A session in which nobody knows whether ann was paid. */
async function inDoubt() {
  const tool = pay()
  const segno = await segnoUnderTest({ tools: [tool], script })
  const { events } = await segno.ask('Pay ann')
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'timeout', effect: 'unknown' }])
  const { rounds } = segno.segno
  const [call] = await rounds.unknownCalls(LOCAL_OWNER)
  return { segno, tool, rounds, callId: call?.callId ?? '' }
}

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('REL-2', `${protocol}: an identical call asks a person, although the tool is automatic`, async () => {
    const { segno, tool } = await inDoubt()
    const { round, approvals } = await segno.askUntilWaiting('Pay ann again', { protocol })
    expect(approvals).toMatchObject([{ tool: 'pay', args: { to: 'ann' }, rememberable: false }])
    expect(approvals[0]?.reason).toContain('may already have happened')
    expect(tool.runs).toHaveLength(1)
    await segno.decide(approvals[0], 'approve')
    expect(await round.completion).toMatchObject({ calls: [{ outcome: 'ok', effect: 'done' }] })
  })
}

verifies('REL-2', 'a call with other arguments does not ask', async () => {
  const { segno } = await inDoubt()
  expect(await segno.ask('Pay bob')).toMatchObject({ calls: [{ outcome: 'ok' }] })
})

verifies('REL-2', 'the doubt outlives a restart', async () => {
  const { segno } = await inDoubt()
  await segno.reopen()
  const { events } = await segno.ask('Pay ann again', { attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'denied', code: 'UNATTENDED' }])
})

verifies('REL-2', 'a person finds the call and can settle it', async () => {
  const { segno, rounds, callId } = await inDoubt()
  expect(await rounds.unknownCalls(LOCAL_OWNER)).toMatchObject([{ callId, tool: 'pay', outcome: 'timeout' }])
  await rounds.reconcile(LOCAL_OWNER, callId, true, 'it is on the statement')
  expect(await rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
  expect(said(await segno.events(), 'tool.reconciled')).toMatchObject([
    { callId, happened: true, by: LOCAL_OWNER.id, note: 'it is on the statement' },
  ])
})

for (const happened of [true, false]) {
  verifies('REL-2', `once settled as ${happened ? 'done' : 'not done'}, an identical call asks nobody`, async () => {
    const { segno, rounds, callId } = await inDoubt()
    await rounds.reconcile(LOCAL_OWNER, callId, happened)
    expect(await segno.ask('Pay ann again')).toMatchObject({ calls: [{ outcome: 'ok' }] })
  })
}

verifies('REL-2', 'a call is settled once, by whoever it belongs to', async () => {
  const { rounds, callId } = await inDoubt()
  const stranger = { ...LOCAL_OWNER, id: 'stranger' }
  await expect(rounds.reconcile(stranger, callId, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(rounds.reconcile(LOCAL_OWNER, 'nothing', true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await rounds.reconcile(LOCAL_OWNER, callId, true)
  await expect(rounds.reconcile(LOCAL_OWNER, callId, false)).rejects.toMatchObject({ code: 'CONFLICT' })
})

verifies('REL-2', 'two identical calls in doubt are both to be settled before nobody is asked', async () => {
  const segno = await segnoUnderTest({ tools: [pay(2)], script })
  await segno.ask('Pay ann')
  const { round, approvals } = await segno.askUntilWaiting('Pay ann again')
  await segno.decide(approvals[0], 'approve')
  await round.completion
  const { rounds } = segno.segno
  const calls = await rounds.unknownCalls(LOCAL_OWNER)
  expect(calls).toHaveLength(2)
  const askedAfterSettling: boolean[] = []
  for (const { callId } of calls) {
    await rounds.reconcile(LOCAL_OWNER, callId, false)
    const { events } = await segno.ask('Pay ann once more', { attended: false })
    askedAfterSettling.push(said(events, 'tool.result').some(({ code }) => code === 'UNATTENDED'))
  }
  expect(askedAfterSettling).toEqual([true, false])
  expect(await rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
})

verifies('REL-2', 'a person who approves such a call cannot make that the rule', async () => {
  const { segno } = await inDoubt()
  const { round, approvals } = await segno.askUntilWaiting('Pay ann again')
  await segno.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  const { events } = await segno.ask('Pay ann a third time', { attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
})
