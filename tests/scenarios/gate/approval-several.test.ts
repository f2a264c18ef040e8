import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import type { ApprovalView } from '../../../src/contract/views.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** One message with a call for each of these, each of which must be asked about. */
async function asking(to: readonly string[], more: Partial<Tool> = {}, options: object = {}) {
  const tool = probe('mail', { effect: 'unsafe', approval: 'ask', ...more })
  const calls = to.map((to) => ({ name: 'mail', args: { to } }))
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls }, { text: 'Done.' }] })
  const { round, approvals } = await segno.askUntilWaiting('Go.', options)
  const about = (to: string): ApprovalView | undefined => approvals.find(({ args }) => args['to'] === to)
  const results = async () => said(await segno.events(), 'tool.result').map(({ outcome, code }) => code ?? outcome)
  const sent = () => tool.runs.map(({ args }) => args['to'])
  return { segno, round, approvals, about, results, sent }
}

verifies('ORC-8', 'all calls of a message that need a person are shown at once, each for its own call', async () => {
  const { segno, approvals } = await asking(['ann', 'bob', 'cy'])
  expect(approvals.map(({ args }) => args['to'])).toEqual(expect.arrayContaining(['ann', 'bob', 'cy']))
  const calls = new Map(said(await segno.events(), 'tool.call').map(({ callId, args }) => [callId, args]))
  for (const { callId, args } of approvals) expect(calls.get(callId)).toEqual(args)
  const waiting = said(await segno.events(), 'round.waiting')
  expect(waiting.map(({ callIds }) => callIds)).toEqual([[...calls.keys()]])
})

for (const order of [
  ['ann', 'bob'],
  ['bob', 'ann'],
]) {
  verifies('ORC-8', `each decision reaches its own call when ${order.join(' is decided before ')}`, async () => {
    const { segno, round, about, results, sent } = await asking(['ann', 'bob'])
    for (const to of order) await segno.decide(about(to), to === 'bob' ? 'approve' : 'deny')
    await round.completion
    expect(await results()).toEqual(['denied', 'ok'])
    expect(sent()).toEqual(['bob'])
  })
}

verifies('ORC-8', 'a call goes on as soon as it and those before it are decided', async () => {
  const { segno, about, sent, round } = await asking(['ann', 'bob'])
  await segno.decide(about('ann'), 'approve')
  await segno.until('round.waiting', 2)
  expect(sent()).toEqual(['ann'])
  expect((await segno.pending()).map(({ args }) => args['to'])).toEqual(['bob'])
  await segno.decide(about('bob'), 'approve')
  await round.completion
  expect(sent()).toEqual(['ann', 'bob'])
})

verifies('ORC-8', 'what one decision remembers does not carry out a call that was denied', async () => {
  const { segno, about, results, sent, round } = await asking(['ann', 'bob'], { effect: 'pure', target: () => 'all' })
  await segno.decide(about('bob'), 'deny')
  await segno.decide(about('ann'), 'approve', { remember: 'session' })
  await round.completion
  expect(sent()).toEqual(['ann'])
  expect(await results()).toEqual(['ok', 'denied'])
})

verifies('ORC-8', 'what one decision remembers does not answer a question that is still open', async () => {
  const { segno, about, sent } = await asking(['ann', 'bob'], { effect: 'pure', target: () => 'all' })
  await segno.decide(about('ann'), 'approve', { remember: 'session' })
  await segno.until('round.waiting', 2)
  expect(sent()).toEqual(['ann'])
})

verifies('GOV-8', 'an approved call is judged once more: the limit may be reached by then', async () => {
  const { segno, about, results, round } = await asking(['ann', 'bob'], {}, { limits: { maxToolCalls: 1 } })
  for (const to of ['ann', 'bob']) await segno.decide(about(to), 'approve')
  await round.completion
  expect(await results()).toEqual(['ok', 'LIMIT'])
})

verifies('GOV-8', 'an approved call is judged once more: the same may have been done by then', async () => {
  const { segno, approvals, results, round } = await asking(['ann', 'ann'])
  for (const approval of approvals) await segno.decide(approval, 'approve')
  await round.completion
  expect(await results()).toEqual(['ok', 'DUPLICATE'])
})

verifies('ORC-8', 'cancelling answers every question of the round', async () => {
  const { segno, round, results } = await asking(['ann', 'bob'])
  await round.cancel()
  await round.completion
  expect(await results()).toEqual(['cancelled', 'cancelled'])
  const approvals = await segno.segno.rounds.approvals(LOCAL_OWNER)
  expect(approvals.map(({ status }) => status)).toEqual(['stale', 'stale'])
})
