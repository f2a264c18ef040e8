import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe, type Probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const schema = (limit: number) =>
  ({
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'integer', default: limit } },
  }) as const
const pay = (more: Partial<Tool> = {}): Probe =>
  probe('pay', { effect: 'unsafe', approval: 'ask', input: schema(10), ...more })
const mail = (): Probe => probe('mail', { effect: 'unsafe', approval: 'ask' })
const payAnn = { name: 'pay', args: { to: 'ann' } }

const changes: Record<string, Partial<Tool>> = {
  description: { description: 'pays at once and cannot be undone' },
  'default of an argument': { input: schema(1_000_000) },
  schema: { input: { type: 'object', properties: { to: { type: 'string' } } } },
  'effect class': { effect: 'keyed' },
  'approval rule': { approval: 'always' },
}

for (const [what, change] of Object.entries(changes)) {
  verifies(['ORC-8', 'GOV-8'], `a change of the ${what} while a person thinks makes a new question`, async () => {
    const segno = await segnoUnderTest({ tools: [pay()], turns: [{ calls: [payAnn] }, { text: 'Paid.' }] })
    const { round, approvals } = await segno.askUntilWaiting()
    const changed = pay(change)
    await segno.reopen({ tools: [changed] })
    await segno.decide(approvals[0], 'approve')
    await segno.until('round.waiting', 2)
    expect(changed.runs).toEqual([])
    const all = await segno.segno.rounds.approvals(LOCAL_OWNER)
    expect(all.map(({ status }) => status)).toEqual(['stale', 'pending'])
    await segno.decide(all[1], 'approve')
    expect(await segno.segno.completion(segno.sessionId, round.requestId)).toMatchObject({ finishReason: 'complete' })
    expect(changed.runs).toHaveLength(1)
    // Each approval has one decision, and the new one says which it replaces.
    const events = await segno.events()
    const ids = all.map(({ id }) => id)
    expect(said(events, 'approval.decided').map(({ approvalId }) => approvalId)).toEqual(ids)
    expect(said(events, 'approval.requested').map(({ replaces }) => replaces)).toEqual([undefined, ids[0]])
    expect(await segno.segno.check()).toMatchObject({ ok: true })
  })
}

verifies(
  ['ORC-8', 'GOV-8'],
  'an approval given before the tool changed does not hold when its turn comes',
  async () => {
    const calls = [{ name: 'mail' }, payAnn]
    const segno = await segnoUnderTest({ tools: [mail(), pay()], turns: [{ calls }, { text: 'Paid.' }] })
    const { round, approvals } = await segno.askUntilWaiting()
    const about = (tool: string) => approvals.find((approval) => approval.tool === tool)
    await segno.decide(about('pay'), 'approve')
    await segno.until('approval.decided')
    const [sameMail, otherPay] = [mail(), pay({ description: 'pays at once and cannot be undone' })]
    await segno.reopen({ tools: [sameMail, otherPay] })
    await segno.decide(about('mail'), 'approve')
    await segno.until('round.waiting', 2)
    expect(sameMail.runs).toHaveLength(1)
    expect(otherPay.runs).toEqual([])
    const [again] = await segno.pending()
    expect(again).toMatchObject({ tool: 'pay', callId: about('pay')?.callId })
    expect(again?.id).not.toBe(about('pay')?.id)
    await segno.decide(again, 'approve')
    await segno.segno.completion(segno.sessionId, round.requestId)
    expect(otherPay.runs).toHaveLength(1)
  },
)

verifies('ORC-8', 'a change of another tool leaves a question as it is', async () => {
  const segno = await segnoUnderTest({ tools: [pay(), mail()], turns: [{ calls: [payAnn] }, { text: 'Paid.' }] })
  const { round, approvals } = await segno.askUntilWaiting()
  const same = pay()
  await segno.reopen({ tools: [same, { ...mail(), description: 'new words' }] })
  await segno.decide(approvals[0], 'approve')
  await segno.segno.completion(segno.sessionId, round.requestId)
  expect(same.runs).toHaveLength(1)
  expect(said(await segno.events(), 'approval.requested')).toHaveLength(1)
})

verifies('GOV-8', 'an approved call of a tool that is gone is refused', async () => {
  const segno = await segnoUnderTest({ tools: [pay()], turns: [{ calls: [payAnn] }, { text: 'Paid.' }] })
  const { round, approvals } = await segno.askUntilWaiting()
  await segno.reopen({ tools: [] })
  await segno.decide(approvals[0], 'approve')
  await segno.segno.completion(segno.sessionId, round.requestId)
  expect(said(await segno.events(), 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'UNKNOWN_TOOL' }])
})

verifies('ORC-8', 'what runs are the arguments that were shown, defaults filled in', async () => {
  const tool = pay()
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: [payAnn] }, { text: 'Paid.' }] })
  const { round, approvals } = await segno.askUntilWaiting()
  expect(approvals[0]?.args).toEqual({ to: 'ann', amount: 10 })
  await segno.decide(approvals[0], 'approve')
  await round.completion
  expect(tool.runs.map(({ args }) => args)).toEqual([{ to: 'ann', amount: 10 }])
})
