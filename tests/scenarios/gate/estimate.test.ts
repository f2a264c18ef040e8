import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { problemOf } from '../library/support/problem-of.ts'

const QUERY = { type: 'object', properties: { q: { type: 'string', maxLength: 100 } }, required: ['q'] } as const

async function priced() {
  const tools = [
    probe('search', {
      cost: { fixed: 10_000, each: 500, unit: 'character', field: 'q' },
      input: QUERY,
      timeoutMs: 5000,
    }),
    probe('think', { cost: () => ({ cost: 30_000, tokens: 900 }) }),
    probe('guess', { cost: 'unknown', effect: 'unsafe' }),
    probe('odd', { cost: () => Number.NaN }),
    probe('send', { effect: 'unsafe', approval: 'ask' }),
  ]
  return { ...(await segnoUnderTest({ tools })), tools }
}

verifies(
  'GOV-9',
  'what a call would cost is told before anybody makes it, by the price table of its tool',
  async () => {
    const { segno, tools } = await priced()
    const estimate = (tool: string, args = {}) => segno.estimateCost(LOCAL_OWNER, tool, args)
    expect(await estimate('search', { q: 'kigali' })).toEqual({
      cost: 13_000,
      estimatedCost: 1.3,
      estimatedLatencyMs: 5000,
      confidence: 'exact',
    })
    expect(await estimate('think')).toMatchObject({ cost: 30_000, estimatedTokens: 900, confidence: 'estimate' })
    expect(await estimate('guess')).toMatchObject({ confidence: 'unknown' })
    expect(await problemOf(estimate('odd'))).toMatchObject({ code: 'TOOL_ERROR' })
    expect(await problemOf(estimate('search'))).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await problemOf(estimate('no_such_tool'))).message).toContain('no_such_tool')
    expect(tools.flatMap(({ runs }) => runs)).toEqual([])
  },
)

verifies(
  'GOV-8',
  'whether a call may be made is told by the gate itself, and nothing is done or recorded',
  async () => {
    const it = await priced()
    const { segno, sessionId } = it
    const before = [await segno.sessions.events(LOCAL_OWNER, sessionId), await segno.audit.page(LOCAL_OWNER)]
    const may = (tool: string, args = {}, at = {}) => segno.canInvokeTool(LOCAL_OWNER, tool, args, at)
    expect(await may('search', { q: 'x' })).toMatchObject({ allowed: true, kind: 'allow' })
    expect(await may('send')).toMatchObject({ allowed: false, kind: 'ask' })
    expect(await may('send', {}, { mode: 'plan' })).toMatchObject({ allowed: false, kind: 'refuse', code: 'MODE' })
    expect(await may('search')).toMatchObject({ allowed: false, code: 'INVALID' })
    expect(await may('nothing')).toMatchObject({ allowed: false, code: 'UNKNOWN_TOOL' })
    const nobody = { ...LOCAL_OWNER, permissions: ['chat:*'] }
    expect(await segno.canInvokeTool(nobody, 'search', { q: 'x' })).toMatchObject({
      allowed: false,
      code: 'PERMISSION',
    })
    await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 12_000 })
    expect(await may('search', { q: 'kigali' })).toMatchObject({ allowed: false, code: 'BUDGET_EXCEEDED' })
    await segno.budgets.remove(LOCAL_OWNER, LOCAL_OWNER.id)

    const [events, { items }] = [
      await segno.sessions.events(LOCAL_OWNER, sessionId),
      await segno.audit.page(LOCAL_OWNER),
    ]
    expect(events).toEqual(before[0])
    // Two changes of the budget, and nothing else.
    expect(items).toHaveLength((before[1] as { items: unknown[] }).items.length + 2)
    expect([it.tools.flatMap(({ runs }) => runs), await it.pending()]).toEqual([[], []])
  },
)

test('an explanation has the estimate, but not of a call that could not run', async () => {
  const it = await priced()
  const explained = (tool: string, args = {}) => ask(it, 'POST', '/api/policy/explain', { tool, args })
  expect((await explained('search', { q: 'kigali' })).body).toMatchObject({
    estimate: { cost: 13_000, tokens: 0, latencyMs: 5000, confidence: 'exact' },
  })
  expect((await explained('search')).body).not.toHaveProperty('estimate')
  expect((await explained('nothing')).body).not.toHaveProperty('estimate')
})
