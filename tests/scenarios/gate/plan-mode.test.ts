import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

for (const effect of ['pure', 'keyed', 'verifiable', 'unsafe'] as const) {
  const pure = effect === 'pure'
  verifies(
    'PHA-12',
    `in plan mode a tool that is ${effect} ${pure ? 'runs' : 'is refused'}, in act mode it runs`,
    async () => {
      const tool = probe('do', { effect, verify: async () => ({ happened: 'unknown' }) })
      const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'do' }] }, { text: 'Done.' }] })
      const codes = async (mode: 'plan' | 'act') =>
        said((await segno.ask('Go.', { mode })).events, 'tool.result').map(({ code, outcome }) => code ?? outcome)
      expect(await codes('plan')).toEqual([pure ? 'ok' : 'MODE'])
      expect(await codes('act')).toEqual(['ok'])
      expect(tool.runs).toHaveLength(pure ? 2 : 1)
    },
  )
}

verifies('PHA-12', 'an approval does not lift plan mode', async () => {
  const tool = probe('do', { effect: 'unsafe', approval: 'ask' })
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'do' }] }, { text: 'Done.' }] })
  const { round, approvals } = await segno.askUntilWaiting('Go.', { mode: 'act' })
  await segno.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  const { events } = await segno.ask('Go.', { mode: 'plan' })
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'MODE' }])
})

verifies('PHA-12', 'a mode nobody knows is refused, not taken for the one that allows more', async () => {
  const tool = probe('do', { effect: 'unsafe' })
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'do' }] }, { text: 'Done.' }] })
  await expect(segno.send('Go.', { mode: 'Plan' as 'plan' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    field: 'mode',
  })
  expect(tool.runs).toEqual([])
})
