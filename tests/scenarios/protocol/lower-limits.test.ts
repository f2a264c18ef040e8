import { expect } from 'vitest'
import type { RoundLimits } from '../../../src/contract/limits.ts'
import { DEFAULT_ROUND_LIMITS } from '../../support/limits.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ownTime } from '../../support/own-time.ts'

const greedy = (name = 'look'): ScriptedTurn[] =>
  Array.from({ length: 12 }, (_, n) => ({ calls: [{ name, args: { n } }] }))

const lowered: readonly [
  limits: Partial<RoundLimits>,
  protocol: 'unified' | 'triggered',
  executed: number,
  finish: string,
][] = [
  [{ maxIterations: 2 }, 'unified', 2, 'iteration_limit'],
  [{ maxIterations: 0 }, 'unified', 0, 'iteration_limit'],
  [{ maxToolCalls: 1 }, 'unified', 1, 'tool_limit'],
  [{ maxToolCalls: 1 }, 'triggered', 1, 'tool_limit'],
  [{ maxCycles: 2 }, 'triggered', 2, 'tool_limit'],
  [{ maxCycles: 0 }, 'triggered', 0, 'tool_limit'],
]
for (const [limits, protocol, executed, finish] of lowered) {
  verifies('GOV-7', `${protocol}: a client may lower ${JSON.stringify(limits)}`, async () => {
    const tool = probe('look')
    const segno = await segnoUnderTest({ tools: [tool], turns: greedy() })
    const { finishReason } = await segno.ask('Go.', { protocol, limits })
    expect(tool.runs).toHaveLength(executed)
    expect(finishReason).toBe(finish)
  })
}

verifies('GOV-7', 'triggered: a client may lower how often the model may try in vain', async () => {
  const segno = await segnoUnderTest({ turns: greedy('gone') })
  const { events, finishReason } = await segno.ask('Go.', { protocol: 'triggered', limits: { maxFruitless: 1 } })
  expect(said(events, 'tool.result')).toHaveLength(1)
  expect(finishReason).toBe('iteration_limit')
})

for (const [how, options] of [
  ['limits.totalMs', { limits: { totalMs: 40 } }],
  ['timeoutMs', { timeoutMs: 40 }],
] as const) {
  verifies('GOV-7', `a client may lower the time of its round with ${how}`, async () => {
    const segno = await segnoUnderTest({ turns: [{ fault: { kind: 'stall' } }] })
    const { finishReason } = await segno.ask('Go.', options)
    expect(finishReason).toBe('timeout')
  })
}

for (const timeoutMs of [undefined, 5_000]) {
  const declares = timeoutMs === undefined ? 'declares no time' : 'declares a longer time'
  verifies('GOV-7', `a client may lower the time of a tool that ${declares}`, async () => {
    const hang = probe('hang', { run: () => new Promise(() => {}), ...(timeoutMs !== undefined && { timeoutMs }) })
    const segno = await segnoUnderTest({ tools: [hang], turns: [{ calls: [{ name: 'hang' }] }, { text: 'Done.' }] })
    const took = ownTime()
    const { events } = await segno.ask('Go.', { limits: { toolMs: 20 } })
    const [result] = said(events, 'tool.result')
    expect(result?.outcome).toBe('timeout')
    expect(took()).toBeLessThan(2_000)
  })
}

verifies('GOV-7', 'a client that wants more than is configured gets what is configured', async () => {
  const segno = await segnoUnderTest({ turns: [{ text: 'Done.' }], limits: { MAX_ITERATIONS: 2, TOTAL_MS: 5_000 } })
  const greed = Object.fromEntries(Object.keys(DEFAULT_ROUND_LIMITS).map((name) => [name, 10_000_000]))
  const { events } = await segno.ask('Go.', { limits: greed, timeoutMs: 10_000_000 })
  const [started] = said(events, 'round.started')
  expect(started?.limits).toEqual({ ...DEFAULT_ROUND_LIMITS, maxIterations: 2, totalMs: 5_000 })
})

for (const limits of [{ maxIterations: -1 }, { totalMs: 1.5 }, { toolMs: '5' }, { maxTurns: 3 }, { toString: 3 }]) {
  verifies('GOV-7', `the limits ${JSON.stringify(limits)} are refused before the round starts`, async () => {
    const segno = await segnoUnderTest()
    await expect(segno.send('Go.', { limits: limits as Partial<RoundLimits> })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: `limits.${Object.keys(limits)[0]}`,
    })
  })
}
