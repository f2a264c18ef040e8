import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const mail = () => probe('mail', { effect: 'unsafe', approval: 'ask', target: ({ to }) => `mail to ${text(to)}` })
const opening = () => ({
  tools: [mail()],
  turns: [{ calls: [{ name: 'mail', args: { to: 'ann' } }] }, { text: 'As you wish.' }],
})

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-8', `${protocol}: a tool that must ask does nothing before a person has said yes`, async () => {
    const { tools, turns } = opening()
    const segno = await segnoUnderTest({ tools, turns })
    const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol })
    expect(approvals).toMatchObject([{ tool: 'mail', args: { to: 'ann' }, target: 'mail to ann', status: 'pending' }])
    expect(await segno.segno.rounds.get(LOCAL_OWNER, round.requestId)).toMatchObject({ state: 'waiting' })
    expect(tools[0]?.runs).toEqual([])
    await segno.decide(approvals[0], 'approve')
    expect(await round.completion).toMatchObject({
      content: 'As you wish.',
      calls: [{ outcome: 'ok', effect: 'done' }],
    })
    expect(tools[0]?.runs).toHaveLength(1)
  })

  verifies('ORC-8', `${protocol}: a denial with its reason is a result the model reads`, async () => {
    const { tools, turns } = opening()
    const segno = await segnoUnderTest({ tools, turns })
    const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol })
    await segno.decide(approvals[0], 'deny', { reason: 'Ann is on leave' })
    await round.completion
    expect(said(await segno.events(), 'tool.result')).toMatchObject([{ outcome: 'denied', effect: 'none' }])
    expect(JSON.stringify(segno.requests[1]?.prompt)).toContain('Denied by a person: Ann is on leave')
    expect(tools[0]?.runs).toEqual([])
  })

  verifies('ORC-8', `${protocol}: a question outlives Segno and is answered when it runs again`, async () => {
    const { turns } = opening()
    const tool = mail()
    const segno = await segnoUnderTest({ tools: [tool], turns })
    const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol })
    await segno.reopen()
    await segno.reopen()
    expect(await segno.pending()).toEqual(approvals)
    await segno.decide(approvals[0], 'approve')
    const completion = await segno.segno.completion(segno.sessionId, round.requestId)
    expect(completion).toMatchObject({ content: 'As you wish.', finishReason: 'complete' })
    expect(tool.runs).toHaveLength(1)
    expect(said(await segno.events(), 'approval.requested')).toHaveLength(1)
  })
}

verifies('ORC-8', 'who decided what, and why, is in the log', async () => {
  const segno = await segnoUnderTest(opening())
  const { round, approvals } = await segno.askUntilWaiting()
  await segno.decide(approvals[0], 'deny', { reason: 'not today' })
  await round.completion
  expect(said(await segno.events(), 'approval.decided')).toMatchObject([
    { approvalId: approvals[0]?.id, decision: 'deny', by: LOCAL_OWNER.id, reason: 'not today' },
  ])
})

for (const second of ['approve', 'deny'] as const) {
  verifies('ORC-8', `what was decided cannot be decided again: ${second} comes too late`, async () => {
    const segno = await segnoUnderTest(opening())
    const { round, approvals } = await segno.askUntilWaiting()
    await segno.decide(approvals[0], 'deny')
    await expect(segno.decide(approvals[0], second)).rejects.toMatchObject({ code: 'CONFLICT' })
    await round.completion
    await expect(segno.decide(approvals[0], second)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(said(await segno.events(), 'approval.decided')).toHaveLength(1)
  })
}

verifies('ORC-8', 'of two decisions at the same moment one counts, and the other hears of it', async () => {
  const segno = await segnoUnderTest(opening())
  const { round, approvals } = await segno.askUntilWaiting()
  const [first, second] = await Promise.allSettled([
    segno.decide(approvals[0], 'approve'),
    segno.decide(approvals[0], 'deny'),
  ])
  expect([first?.status, second?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  await round.completion
  const decided = first?.status === 'fulfilled' ? 'approve' : 'deny'
  expect(said(await segno.events(), 'approval.decided').map(({ decision }) => decision)).toEqual([decided])
})

verifies('ORC-8', 'a decision after the round was cancelled is refused', async () => {
  const { tools, turns } = opening()
  const segno = await segnoUnderTest({ tools, turns })
  const { round, approvals } = await segno.askUntilWaiting()
  await round.cancel()
  expect(await round.completion).toMatchObject({ finishReason: 'cancelled', calls: [{ outcome: 'cancelled' }] })
  await expect(segno.decide(approvals[0], 'approve')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await segno.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject([{ status: 'stale' }])
  expect(tools[0]?.runs).toEqual([])
})

verifies('ORC-8', 'nobody else can see or decide what a session asks', async () => {
  const segno = await segnoUnderTest(opening())
  const { approvals } = await segno.askUntilWaiting()
  const stranger = { ...LOCAL_OWNER, id: 'stranger' }
  const decision = segno.segno.rounds.decide(stranger, approvals[0]?.id ?? '', { decision: 'approve' })
  await expect(decision).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await segno.segno.rounds.approvals(stranger)).toEqual([])
})

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-8', `${protocol}: with nobody to ask, what needs a person is denied`, async () => {
    const { tools, turns } = opening()
    const segno = await segnoUnderTest({ tools, turns })
    const { events, content } = await segno.ask('Go.', { protocol, attended: false })
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'denied', code: 'UNATTENDED' }])
    expect(said(events, 'approval.requested')).toEqual([])
    expect(tools[0]?.runs).toEqual([])
    expect(content).toBe('As you wish.')
  })
}

verifies('ORC-8', 'an answer that is neither yes nor no is refused, and the question stays open', async () => {
  const segno = await segnoUnderTest(opening())
  const { approvals } = await segno.askUntilWaiting()
  await expect(segno.decide(approvals[0], 'perhaps' as 'deny')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await segno.pending()).toEqual(approvals)
})

verifies('ORC-8', 'a round that waits can be cancelled after a restart', async () => {
  const { tools, turns } = opening()
  const segno = await segnoUnderTest({ tools, turns })
  const { round } = await segno.askUntilWaiting()
  await segno.reopen()
  await segno.segno.rounds.cancel(LOCAL_OWNER, segno.sessionId, round.requestId)
  const { finishReason } = await segno.segno.completion(segno.sessionId, round.requestId)
  expect(finishReason).toBe('cancelled')
  expect(await segno.pending()).toEqual([])
})
