import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const script = {
  scenarios: [
    { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] },
    { when: '^stall', turns: [{ fault: { kind: 'stall' as const } }] },
  ],
}

for (const [decision, status] of [
  ['approve', 'approved'],
  ['deny', 'denied'],
] as const) {
  verifies('ORC-8', `what was decided (${decision}) is listed so before its round gets a slot`, async () => {
    const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
    const u = await segnoUnderTest({ tools: [mail], script, limits: { MAX_ROUNDS: 1 } })
    const { round, approvals } = await u.askUntilWaiting('mail')
    const { id: other } = await u.segno.createSession()
    const busy = await u.send('stall', { sessionId: other })
    await u.decide(approvals[0], decision)
    expect(await u.pending()).toEqual([])
    const listed = [{ id: approvals[0]?.id, status, decidedBy: LOCAL_OWNER.id }]
    expect(await u.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject(listed)
    expect(await u.segno.rounds.approvals(LOCAL_OWNER, status)).toMatchObject(listed)
    expect(said(await u.events(), 'approval.decided')).toEqual([])
    await expect(u.decide(approvals[0], 'approve')).rejects.toMatchObject({ code: 'CONFLICT' })
    await busy.cancel()
    await round.completion
    expect(said(await u.events(), 'approval.decided')).toMatchObject([{ decision }])
    expect(await u.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject(listed)
    expect(mail.runs).toHaveLength(decision === 'approve' ? 1 : 0)
  })
}
