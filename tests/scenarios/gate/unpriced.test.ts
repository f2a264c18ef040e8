import type { BudgetLimits } from '../../../src/contract/account.ts'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Model } from '../../../src/model/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const done: ScriptedTurn = { text: 'Done.', usage: { input: 900, output: 100 } }
const unpriced = ({ prices: _, ...model }: Model): Model => model
const PRICES = { input: 1_000_000, output: 1_000_000 }

/** A user with a budget, and a model whose price nobody knows. */
async function budgeted(limits: BudgetLimits, opening: Opening = {}) {
  const segno = await segnoUnderTest({ turns: [done], repeat: true, entry: unpriced, ...opening })
  await segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, limits)
  return segno
}

for (const protocol of ['unified', 'triggered'] as const)
  verifies('GOV-22', `${protocol}: a model without a price is refused to who has a cost budget`, async () => {
    const segno = await budgeted({ dailyCost: 1_000_000_000 })
    const { finishReason, content, events } = await segno.ask('Go.', { protocol })
    expect(finishReason).toBe('budget')
    expect(content).toContain('The model scripted has no price')
    expect(content).toContain('SEGNO_ASSUMED_PRICES')
    expect(segno.requests).toEqual([])
    expect(said(events, 'turn.started')).toEqual([])
    expect(said(events, 'round.ended')).toHaveLength(1)
  })

verifies('GOV-22', 'who has a budget of tokens or none at all may use a model without a price', async () => {
  for (const limits of [{ dailyTokens: 100_000 }, { dailyToolCost: 0 }, {}]) {
    const segno = await budgeted(limits)
    expect(await segno.ask()).toMatchObject({ finishReason: 'complete', usage: { unpriced: true } })
  }
})

verifies('GOV-22', 'a price of 0 is a price, and passes a budget that is used up', async () => {
  const free = await budgeted({ dailyCost: 0 }, { entry: (model) => ({ ...model, prices: { input: 0, output: 0 } }) })
  expect(await free.ask()).toMatchObject({ finishReason: 'complete', cost: 0 })
  const scripted = await budgeted({ dailyCost: 0 }, { entry: (model) => model })
  expect(await scripted.ask()).toMatchObject({ finishReason: 'complete' })
})

verifies('GOV-22', 'a fallback without a price does not answer for who has a cost budget', async () => {
  const other = 'openai-compatible:other'
  const segno = await budgeted(
    { dailyCost: 1_000_000_000 },
    {
      turns: [{ fault: { kind: 'error', status: 400 } }],
      env: { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' },
      entry: (model) => (model.key === other ? unpriced(model) : { ...model, prices: PRICES, fallback: other }),
    },
  )
  const { finishReason, content, events } = await segno.ask()
  expect(finishReason).toBe('budget')
  expect(content).toContain(`The model ${other} has no price`)
  expect(said(events, 'turn.retried')).toEqual([])
  expect(segno.requests).toHaveLength(1)
})

verifies('GOV-22', 'a turn that was begun before there was a budget is not asked again for nothing', async () => {
  const stalled: ScriptedTurn = { text: 'Begun', fault: { kind: 'stall', afterDeltas: 1 } }
  const segno = await segnoUnderTest({ turns: [stalled], limits: { DRAIN_MS: 0 }, entry: unpriced })
  const { requestId } = await segno.send()
  await segno.until('turn.started')
  await segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyCost: 1_000_000_000 })
  await segno.reopen({ turns: [done], repeat: true })
  expect(await segno.segno.completion(segno.sessionId, requestId)).toMatchObject({ finishReason: 'budget' })
  expect(segno.requests).toEqual([])
})

const thinking = (opening: Opening = {}) => ({
  builtInTools: true,
  entry: (model: Model) => model,
  script: {
    scenarios: [
      { when: '^go', turns: [{ calls: [{ name: 'deep_reasoning', args: { problem: 'a hard one' } }] }, done] },
    ],
  },
  // The standard model is free; the second one has no price and nothing listens where it should be.
  env: { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1', SEGNO_REASONING_MODEL: 'openai-compatible:thinker' },
  ...opening,
})

for (const limits of [{ dailyCost: 1_000_000 }, { dailyToolCost: 1_000_000 }])
  verifies('GOV-22', `deep_reasoning is refused without a price and with ${JSON.stringify(limits)}`, async () => {
    const segno = await budgeted(limits, thinking())
    const { events, content } = await segno.ask('Go.', { attended: true })
    const [result] = said(events, 'tool.result')
    expect(result).toMatchObject({ name: 'deep_reasoning', outcome: 'refused', code: 'COST_ESTIMATE_FAILED' })
    expect(result?.content).toContain('nobody said what deep_reasoning costs')
    expect(content).toBe('Done.')
  })

verifies('GOV-22', 'deep_reasoning is called without asking where nothing limits the cost', async () => {
  const segno = await budgeted({ dailyTokens: 10_000_000 }, thinking())
  const [result] = said((await segno.ask('Go.', { attended: false })).events, 'tool.result')
  expect(result?.code).toBeUndefined()
  expect(result?.content).toContain('did not answer')
})

verifies('GOV-22', 'deep_reasoning costs what the operator said it is to be taken for', async () => {
  const env = { ...thinking().env, SEGNO_ASSUMED_PRICES: JSON.stringify(PRICES) }
  const segno = await budgeted({ dailyToolCost: 1_000_000 }, thinking({ env }))
  const { events } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.started')[0]?.reserved).toBeGreaterThan(4000)
  const poor = await budgeted({ dailyToolCost: 100 }, thinking({ env }))
  expect(said((await poor.ask('Go.')).events, 'tool.result')).toMatchObject([{ code: 'BUDGET_EXCEEDED' }])
})

verifies('GOV-22', 'a tool whose cost nobody knows is refused to who has a cost budget', async () => {
  const tool = probe('render', { cost: 'unknown', effect: 'pure' })
  const turns: ScriptedTurn[] = [{ calls: [{ name: 'render' }] }, done]
  const segno = await budgeted({ dailyToolCost: 1000 }, { tools: [tool], turns, entry: (model) => model })
  const { events } = await segno.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'COST_ESTIMATE_FAILED' }])
  expect(tool.runs).toEqual([])
  const policy = { tools: { render: { cost: 300 } } }
  const told = await budgeted({ dailyToolCost: 1000 }, { tools: [tool], turns, entry: (model) => model, policy })
  expect(said((await told.ask()).events, 'tool.result')).toMatchObject([{ outcome: 'ok', cost: 300 }])
})

/** A tool of a stranger, whose cost nobody says unless somebody does here. */
async function strangers(env: Record<string, string>, more: { policy?: Opening['policy']; cost?: 'unknown' } = {}) {
  const { cost, policy } = more
  const tool = probe('far', { kind: 'mcp', ...(cost && { cost }) })
  const turns: ScriptedTurn[] = [{ calls: [{ name: 'far' }] }, done]
  const opening = { tools: [tool], turns, env, entry: (model: Model) => model, ...(policy && { policy }) }
  return {
    tool,
    /** what came of the call for somebody with this budget and nobody to ask */
    async result(limits: BudgetLimits) {
      const it = await budgeted(limits, opening)
      return said((await it.ask('Go.', { attended: false })).events, 'tool.result')[0]
    },
  }
}

for (const limits of [{ dailyCost: 1_000_000 }, { dailyToolCost: 1_000_000 }])
  verifies(
    'GOV-22',
    `a tool of an MCP server is refused without a price and with ${JSON.stringify(limits)}`,
    async () => {
      const { tool, result } = await strangers({})
      expect(await result(limits)).toMatchObject({ outcome: 'refused', code: 'COST_ESTIMATE_FAILED' })
      expect((await result(limits))?.content).toContain('SEGNO_ASSUMED_TOOL_COST')
      expect(tool.runs).toEqual([])
    },
  )

verifies('GOV-22', 'a tool of an MCP server without a price is called where nothing limits the cost', async () => {
  const { result } = await strangers({})
  for (const limits of [{}, { dailyTokens: 10_000_000 }])
    expect(await result(limits)).toMatchObject({ outcome: 'ok', cost: 0 })
})

verifies('GOV-22', 'a tool without a price costs what the operator assumes, and no more than is there', async () => {
  for (const more of [{}, { cost: 'unknown' }] as const) {
    const { result } = await strangers({ SEGNO_ASSUMED_TOOL_COST: '400' }, more)
    expect(await result({ dailyToolCost: 1000 })).toMatchObject({ outcome: 'ok', cost: 400 })
    expect(await result({ dailyToolCost: 399 })).toMatchObject({ code: 'BUDGET_EXCEEDED' })
  }
})

verifies('GOV-22', 'what a policy says a tool costs counts more than what is assumed', async () => {
  const { result } = await strangers({ SEGNO_ASSUMED_TOOL_COST: '400' }, { policy: { tools: { far: { cost: 30 } } } })
  expect(await result({ dailyToolCost: 100 })).toMatchObject({ outcome: 'ok', cost: 30 })
})

verifies('GOV-22', 'a tool of your own that says nothing costs nothing, whatever is assumed of others', async () => {
  const opening = {
    tools: [probe('mine')],
    turns: [{ calls: [{ name: 'mine' }] }, done],
    entry: (model: Model) => model,
  }
  const it = await budgeted({ dailyToolCost: 0 }, { ...opening, env: { SEGNO_ASSUMED_TOOL_COST: '400' } })
  expect(said((await it.ask()).events, 'tool.result')).toMatchObject([{ outcome: 'ok', cost: 0 }])
})

test('what an operator assumes of prices is checked at the start', async () => {
  for (const bad of ['3', '{"input": 1}', '{"input": 1, "output": -1}', '{', '{"input": 1, "output": 1, "cache": 2}'])
    await expect(segnoUnderTest({ env: { SEGNO_ASSUMED_PRICES: bad } })).rejects.toThrow(
      /SEGNO_ASSUMED_PRICES: expected micro-dollars for a million tokens/,
    )
})
