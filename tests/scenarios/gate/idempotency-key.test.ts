import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const payments = ['ann', 'bob'].map((to) => ({ name: 'pay', args: { to } }))

verifies('REL-2', 'a keyed tool is given the key that was stored with its start', async () => {
  const tool = probe('pay', { effect: 'keyed' })
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: payments }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  const stored = said(events, 'tool.started').map(({ callId, idempotencyKey }) => ({ callId, idempotencyKey }))
  expect(tool.runs.map(({ ctx: { callId, idempotencyKey } }) => ({ callId, idempotencyKey }))).toEqual(stored)
})

verifies('REL-2', 'no two calls share a key, not even the same call in another round or session', async () => {
  const tool = probe('pay', { effect: 'keyed' })
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: payments }, { text: 'Done.' }] })
  await segno.ask('Once.')
  await segno.ask('Twice.')
  await segno.ask('Elsewhere.', { sessionId: (await segno.segno.createSession()).id })
  expect(tool.runs).toHaveLength(6)
  expect(new Set(tool.runs.map(({ ctx }) => ctx.idempotencyKey)).size).toBe(6)
})

verifies(
  'REL-2',
  'the key follows from the call, so whoever asks before and after an approval gets the same',
  async () => {
    const tool = probe('pay', { effect: 'keyed', approval: 'ask' })
    const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: payments.slice(0, 1) }, { text: 'Done.' }] })
    const { round, approvals } = await segno.askUntilWaiting()
    const [asked] = (await segno.events()).filter(({ type }) => type === 'tool.call')
    await segno.reopen()
    await segno.decide(approvals[0], 'approve')
    await segno.segno.completion(segno.sessionId, round.requestId)
    expect(tool.runs[0]?.ctx.idempotencyKey).toContain(asked?.id)
  },
)
