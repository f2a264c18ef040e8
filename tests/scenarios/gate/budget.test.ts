import type { BudgetLimits } from '../../../src/contract/account.ts'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const look: ScriptedTurn = { calls: [{ name: 'look' }], usage: { input: 900, output: 100 } }
const done: ScriptedTurn = { text: 'Done.', usage: { input: 900, output: 100 } }
const USED = 1000
/** A turn after which less is left of `ONE_TURN` than any model call needs, whatever its provider adds to a request. */
const big: ScriptedTurn = { text: 'Done.', usage: { input: 9_900, output: 100 } }
const bigLook: ScriptedTurn = { ...look, usage: { input: 9_900, output: 100 } }
const ONE_TURN = 10_400
const MOST_OUTPUT = 500

/** A user with a budget, and a model that says at most 500 tokens at once. */
async function budgeted(limits: BudgetLimits, opening: Opening = {}) {
  const segno = await segnoUnderTest({
    tools: [probe('look')],
    turns: [done],
    entry: (model) => ({ ...model, maxOutput: MOST_OUTPUT, prices: { input: 1_000_000, output: 1_000_000 } }),
    ...opening,
  })
  const set = (changed: BudgetLimits) => segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, changed)
  await set(limits)
  const left = async () => (await segno.segno.budgets.get(LOCAL_OWNER)).left
  return { segno, set, left }
}

for (const protocol of ['unified', 'triggered'] as const)
  verifies('GOV-10', `${protocol}: without tokens left no model is asked, and the round ends and says so`, async () => {
    const { segno, left } = await budgeted({ dailyTokens: 100 })
    const answered = await segno.ask('Go.', { protocol })
    expect(answered.finishReason).toBe('budget')
    expect(answered.content).toContain('daily budget of tokens (100 of 100 tokens)')
    expect(segno.requests).toEqual([])
    expect(await left()).toMatchObject({ tokens: 100 })
    const stored = said(answered.events, 'message.assistant')
    expect(JSON.stringify(stored), 'the words are stored, not only told').toContain('daily budget of tokens')
    expect(said(answered.events, 'round.ended')).toHaveLength(1)
  })

verifies('GOV-10', 'a round that runs out in the middle keeps what it did and ends', async () => {
  const { segno, left } = await budgeted({ dailyTokens: ONE_TURN }, { turns: [bigLook, done] })
  const answered = await segno.ask()
  expect(answered).toMatchObject({ finishReason: 'budget', calls: [{ name: 'look', outcome: 'ok' }] })
  expect(segno.requests).toHaveLength(1)
  expect(await left()).toMatchObject({ tokens: 400 })
})

verifies('GOV-10', 'what was set aside and not used is there again, what was used is not', async () => {
  const { segno, left } = await budgeted({ dailyTokens: 10_000, dailyCost: 10_000 }, { turns: [look, done] })
  const { events, finishReason } = await segno.ask()
  expect(finishReason).toBe('complete')
  for (const { reserved } of said(events, 'turn.started')) {
    expect(reserved?.tokens).toBeGreaterThan(MOST_OUTPUT)
    expect(reserved?.cost).toBeGreaterThan(MOST_OUTPUT)
  }
  expect(await left()).toEqual({ tokens: 10_000 - 2 * USED, tools: null, cost: 10_000 - 2 * USED })
})

verifies('GOV-10', 'money spent on models and on tools counts against one daily budget', async () => {
  const pays = probe('look', { cost: 300 })
  const { segno, left } = await budgeted({ dailyCost: 10_000 }, { tools: [pays], turns: [look, done] })
  await segno.ask()
  expect(await left()).toMatchObject({ cost: 10_000 - 2 * USED - 300 })
  const { segno: poor } = await budgeted({ dailyCost: 100 })
  expect(await poor.ask()).toMatchObject({ finishReason: 'budget' })
})

verifies('GOV-10', 'without a budget nothing is limited and nothing set aside', async () => {
  const segno = await segnoUnderTest({ turns: [done] })
  const { events, finishReason } = await segno.ask()
  expect(finishReason).toBe('complete')
  expect(said(events, 'turn.started')[0]).not.toHaveProperty('reserved')
})

verifies('GOV-10', 'a new day (UTC) is a new budget, and a new limit holds at once', async () => {
  let now = Date.parse('2026-03-01T23:59:00Z')
  const { segno, set } = await budgeted({ dailyTokens: ONE_TURN }, { turns: [big], clock: { now: () => now } })
  const ended = async () => (await segno.ask()).finishReason
  expect(await ended()).toBe('complete')
  expect(await ended()).toBe('budget')
  now += 2 * 60_000
  expect(await ended()).toBe('complete')
  expect(await ended()).toBe('budget')
  await set({ dailyTokens: 50_000 })
  expect(await ended()).toBe('complete')
})

verifies('GOV-9', 'another attempt at a model call sets aside its own', async () => {
  const overloaded: ScriptedTurn = { fault: { kind: 'overloaded' } }
  const { segno, left } = await budgeted({ dailyTokens: 50_000 }, { turns: [overloaded, done] })
  const { events, finishReason } = await segno.ask()
  expect(finishReason).toBe('complete')
  const [first] = said(events, 'turn.started')
  expect(said(events, 'turn.retried')).toMatchObject([{ reserved: first?.reserved }])
  expect((await left()).tokens).toBeLessThanOrEqual(50_000 - USED)
})

verifies('GOV-9', 'an attempt that does not fit any more is not made, and the round ends with the budget', async () => {
  const overloaded: ScriptedTurn = { fault: { kind: 'overloaded' } }
  const fits = await budgeted({ dailyTokens: 50_000 })
  const [first] = said((await fits.segno.ask()).events, 'turn.started')
  const { segno } = await budgeted({ dailyTokens: (first?.reserved?.tokens ?? 0) + 10 }, { turns: [overloaded, done] })
  const answered = await segno.ask()
  expect(answered).toMatchObject({ finishReason: 'budget' })
  expect(segno.requests).toHaveLength(1)
})

verifies('GOV-9', 'a model call that was running when Segno stopped costs what was set aside for it', async () => {
  const stalled: ScriptedTurn = { text: 'Begun', fault: { kind: 'stall', afterDeltas: 1 } }
  const { segno, left } = await budgeted({ dailyTokens: 50_000 }, { turns: [stalled], limits: { DRAIN_MS: 0 } })
  const { requestId } = await segno.send()
  const { data } = await segno.until('turn.started')
  const reserved = data.reserved?.tokens ?? 0
  expect(reserved).toBeGreaterThan(MOST_OUTPUT)
  await segno.reopen({ turns: [done], repeat: true })
  expect(await segno.segno.completion(segno.sessionId, requestId)).toMatchObject({ finishReason: 'complete' })
  expect(await left()).toMatchObject({ tokens: 50_000 - reserved - USED })
})

test('the budget of everybody is each one’s own', async () => {
  const { segno } = await budgeted({ dailyTokens: 100 }, { turns: [big] })
  await segno.segno.budgets.remove(LOCAL_OWNER, LOCAL_OWNER.id)
  await segno.segno.budgets.set(LOCAL_OWNER, '*', { dailyTokens: ONE_TURN })
  const as = async (id: string) => {
    const actor = { ...LOCAL_OWNER, id }
    const { id: sessionId } = await segno.segno.createSession({}, { actor })
    return (await segno.ask('Go.', { actor, sessionId })).finishReason
  }
  expect([await as('ada'), await as('ada'), await as('bob')]).toEqual(['complete', 'budget', 'complete'])
})
