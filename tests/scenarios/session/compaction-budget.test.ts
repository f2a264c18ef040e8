import { expect } from 'vitest'
import type { BudgetLimits } from '../../../src/contract/account.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said, segnoUnderTest, type Opening, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { CUT_MARK, FILLER, lastWords, ownQuestions, talk } from './support/talk.ts'

const prices = { input: 1_000_000, output: 1_000_000 }
const USED = 1000
const usage = { input: 900, output: 100 }
const answer: ScriptedTurn = { text: `Noted. ${FILLER}`, usage }

/** Long enough for a summary after twelve others. */
const DUE = `Message 13. ${FILLER.repeat(8)}`

async function budgeted(limits: BudgetLimits, summary: ScriptedTurn, more: Opening = {}) {
  const it = await segnoUnderTest({
    script: { scenarios: [{ when: '', purpose: 'summary', turns: [summary] }], otherwise: answer },
    entry: (model) => ({ ...model, window: 8000, maxOutput: 500, prices }),
    ...more,
  })
  const set = (changed: BudgetLimits) => it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, changed)
  await set(limits)
  const left = async () => (await it.segno.budgets.get(LOCAL_OWNER)).left
  return { it, left, set }
}

verifies(
  ['LIN-7', 'GOV-9'],
  'a summary is reserved and settled on the budget of who owns the conversation',
  async () => {
    const { it, left } = await budgeted({ dailyTokens: 1_000_000, dailyCost: 1_000_000 }, { text: 'Foxes.', usage })
    await talk(it, 18)
    const events = await it.events()
    expect(said(events, 'compact.summary')).toHaveLength(1)
    const [{ reserved } = {}] = said(events, 'model.asked')
    expect(reserved?.tokens).toBeGreaterThan(USED)
    expect(reserved?.cost).toBeGreaterThan(USED)
    const spent = 19 * USED
    expect(await left()).toEqual({ tokens: 1_000_000 - spent, tools: null, cost: 1_000_000 - spent })
    const round = events.find(({ type }) => type === 'model.asked')?.requestId
    const ended = events.find(({ type, requestId }) => type === 'round.ended' && requestId === round)
    expect(ended, 'counted with its round').toMatchObject({
      data: { usage: { input: 1800, output: 200 }, cost: 2 * USED },
    })
  },
)

verifies(['LIN-7', 'GOV-9'], 'a summary over budget is not asked for, and the round goes on without it', async () => {
  const rich = await budgeted({ dailyTokens: 1_000_000 }, { text: 'Foxes.', usage })
  await talk(rich.it, 12)
  await rich.it.ask(DUE)
  const needed = said(await rich.it.events(), 'model.asked')[0]?.reserved?.tokens ?? 0
  expect(needed).toBeGreaterThan(USED)

  const { it, left } = await budgeted({ dailyTokens: 12 * USED + needed - 1 }, { text: 'Foxes.', usage })
  await talk(it, 12)
  const { events, finishReason } = await it.ask(DUE)
  expect(finishReason).toBe('complete')
  expect(said(events, 'model.asked')).toEqual([])
  expect(said(events, 'model.answered')).toMatchObject([
    { failed: expect.stringMatching(/^The summary needs more than is left of the daily budget of tokens/) as string },
  ])
  expect(ownQuestions(it)).toEqual([])
  expect(await left()).toMatchObject({ tokens: needed - 1 - USED })
})

verifies(['LIN-7', 'GOV-22'], 'a summary model without a price is not asked where money is counted', async () => {
  const { it } = await budgeted(
    { dailyCost: 1_000_000 },
    { text: 'Foxes.', usage },
    {
      others: { free: ({ prices: _, ...model }) => model },
      env: { SEGNO_SUMMARY_MODEL: 'free' },
    },
  )
  expect(new Set(await talk(it, 24))).toEqual(new Set(['complete']))
  const events = await it.events()
  expect(said(events, 'model.asked')).toEqual([])
  expect(said(events, 'model.answered')[0]?.failed).toContain('The model free has no price')
  expect(lastWords(it)).toContain(CUT_MARK)
})

verifies(
  ['LIN-7', 'GOV-9'],
  'a summary that was being made when Segno stopped costs what was reserved, and leaves nothing reserved',
  async () => {
    const stalled: ScriptedTurn = { text: 'Begun', fault: { kind: 'stall', afterDeltas: 1 } }
    const { it, left } = await budgeted({ dailyTokens: 1_000_000 }, stalled, { limits: { DRAIN_MS: 0 } })
    await talk(it, 12)
    const { requestId } = await it.send(DUE)
    const { data: asked } = await it.until('model.asked')
    await it.reopen({ script: { otherwise: answer } })
    expect(await it.segno.completion(it.sessionId, requestId)).toMatchObject({ finishReason: 'complete' })
    const events = await it.events()
    expect(said(events, 'model.answered')).toMatchObject([
      { askId: asked.askId, failed: 'Segno stopped meanwhile.', usage: { estimated: true } },
    ])
    expect(said(events, 'compact.summary')).toEqual([])
    expect(await left()).toMatchObject({ tokens: 1_000_000 - 13 * USED - (asked.reserved?.tokens ?? 0) })
    await it.segno.close()
    const store = await openStoreOf(it.home)
    try {
      expect(await store.check()).toMatchObject({ ok: true, findings: [] })
    } finally {
      await store.close()
    }
    await it.reopen()
  },
)
