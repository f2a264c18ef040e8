import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool, Verification } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** Segno stops while the tool runs for the first time, and starts again. */
async function stoppedMidway(more: Partial<Tool>) {
  let begun: () => void = () => {}
  const running = new Promise<void>((resolve) => (begun = resolve))
  const tool = probe('pay', {
    ...more,
    run: (_, { signal }) => {
      if (tool.runs.length > 1) return 'paid at last'
      begun()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('')))
    },
  })
  const segno = await segnoUnderTest({
    tools: [tool],
    turns: [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Done.' }],
    limits: { DRAIN_MS: 0 },
  })
  const { requestId } = await segno.send()
  await running
  await segno.reopen()
  const completion = await segno.segno.completion(segno.sessionId, requestId)
  expect(completion).toMatchObject({ content: 'Done.', finishReason: 'complete' })
  const [result] = said(await segno.events(), 'tool.result')
  return { segno, tool, result }
}

const looksUp = (answer: Verification): Partial<Tool> => ({ effect: 'verifiable', verify: async () => answer })

verifies('REL-2', 'a pure call that was cut off runs again', async () => {
  const { tool, result } = await stoppedMidway({ effect: 'pure' })
  expect(tool.runs).toHaveLength(2)
  expect(result).toMatchObject({ outcome: 'ok', effect: 'none', content: 'paid at last' })
})

verifies('REL-2', 'a keyed call that was cut off runs again under the same key', async () => {
  const { tool, result } = await stoppedMidway({ effect: 'keyed' })
  const [first, second] = tool.runs.map(({ ctx }) => ctx.idempotencyKey)
  expect(tool.runs).toHaveLength(2)
  expect(second).toBe(first)
  expect(result).toMatchObject({ outcome: 'ok', effect: 'done' })
})

verifies('REL-2', 'a call that can be looked up and did happen does not run again', async () => {
  const { tool, result } = await stoppedMidway(looksUp({ happened: true, output: 'paid, says the bank' }))
  expect(tool.runs).toHaveLength(1)
  expect(result).toMatchObject({ outcome: 'ok', effect: 'done', content: 'paid, says the bank' })
})

verifies('REL-2', 'a call that can be looked up and did not happen runs again', async () => {
  const { tool, result } = await stoppedMidway(looksUp({ happened: false }))
  expect(tool.runs).toHaveLength(2)
  expect(result).toMatchObject({ outcome: 'ok', effect: 'done' })
})

const inDoubt: Record<string, Partial<Tool>> = {
  'an unsafe call': { effect: 'unsafe' },
  'a call of a tool that declares nothing': { effect: undefined as never },
  'a call whose look-up does not know': looksUp({ happened: 'unknown' }),
  'a call whose look-up fails': { effect: 'verifiable', verify: () => Promise.reject(new Error('bank closed')) },
}
for (const [name, more] of Object.entries(inDoubt)) {
  verifies('REL-2', `${name} that was cut off does not run again; its effect is unknown and all are told`, async () => {
    const { segno, tool, result } = await stoppedMidway(more)
    expect(tool.runs).toHaveLength(1)
    expect(result).toMatchObject({ outcome: 'unknown', effect: 'unknown' })
    expect(JSON.stringify(segno.requests[0]?.prompt)).toContain('It may or may not have happened')
    expect(await segno.segno.rounds.unknownCalls(LOCAL_OWNER)).toMatchObject([{ tool: 'pay', outcome: 'unknown' }])
    const { events } = await segno.ask('Again.', { attended: false })
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'denied', code: 'UNATTENDED' }])
  })
}
