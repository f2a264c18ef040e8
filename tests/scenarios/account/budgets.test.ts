import { describe, expect, test } from 'vitest'
import { createBudgets, permissionsOf } from '../../../src/account/index.ts'
import type { Actor, Role } from '../../../src/contract/actor.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { verifies } from '../../support/verifies.ts'
import { started } from '../../conformance/store/facts.ts'
import { at, DAY, NOON, turn, turned } from '../../conformance/store/money-facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { newStore } from './support/new-store.ts'

/** Budgets in a database of their own, at noon until the clock is moved. */
async function budgetsUnderTest() {
  let now = NOON
  const store = await newStore()
  return { store, budgets: createBudgets(store, { now: () => now }), pass: (ms: number) => void (now += ms) }
}

const somebody = (id: string, role: Role, tenant = 'acme'): Actor => ({
  id,
  kind: 'user',
  tenant,
  permissions: permissionsOf(role, null),
})
const root = somebody('root', 'admin')
const ada = somebody('ada', 'user')

describe('a budget', () => {
  verifies('GOV-10', 'says what a user may spend a day and what of it is left', async () => {
    const { store, budgets, pass } = await budgetsUnderTest()
    await budgets.set(root, 'ada', { dailyTokens: 100, dailyCost: 50 })
    const writer = await SessionWriter.create(store, { actor: { id: 'ada', tenant: 'acme' } })
    await writer.write(started('r'), ...at(NOON, turn('r', 1, 60, 20), turned('r', 1, 30, 10), turn('r', 2, 60, 20)))
    expect(await budgets.get(ada)).toEqual({
      userId: 'ada',
      from: 'ada',
      dailyTokens: 100,
      dailyToolCost: null,
      dailyCost: 50,
      left: { tokens: 10, tools: null, cost: 20 },
    })
    expect(await budgets.left('acme', 'ada')).toEqual({ tokens: 10, tools: null, cost: 20 })
    pass(DAY)
    expect(await budgets.left('acme', 'ada')).toEqual({ tokens: 100, tools: null, cost: 50 })
  })

  test('of everybody is that of who has none of their own; without either nothing is limited', async () => {
    const { budgets } = await budgetsUnderTest()
    expect(await budgets.get(ada)).toMatchObject({ from: null, dailyTokens: null, left: { tokens: null } })
    await budgets.set(root, '*', { dailyTokens: 10 })
    expect(await budgets.get(ada)).toMatchObject({ userId: 'ada', from: '*', dailyTokens: 10, left: { tokens: 10 } })
    await budgets.set(root, 'ada', {})
    expect(await budgets.get(ada)).toMatchObject({ from: 'ada', dailyTokens: null, left: { tokens: null } })
    expect((await budgets.list(root)).map(({ userId }) => userId)).toEqual(['*', 'ada'])
    await budgets.remove(root, 'ada')
    expect(await budgets.get(root, 'ada')).toMatchObject({ from: '*', dailyTokens: 10 })
  })

  test('of everybody is also that of a user who happens to be called *, and what one spends counts for nobody else', async () => {
    const { store, budgets } = await budgetsUnderTest()
    const star = somebody('*', 'user')
    await budgets.set(root, '*', { dailyTokens: 10 })
    const writer = await SessionWriter.create(store, { actor: { id: star.id, tenant: 'acme' } })
    await writer.write(started('r'), ...at(NOON, turn('r', 1, 8), turned('r', 1, 8)))
    expect(await budgets.get(star)).toMatchObject({ from: '*', left: { tokens: 2 } })
    expect(await budgets.get(ada)).toMatchObject({ from: '*', left: { tokens: 10 } })
  })

  test('is set as a whole: a limit that is not given is none', async () => {
    const { budgets } = await budgetsUnderTest()
    await budgets.set(root, 'ada', { dailyTokens: 10, dailyToolCost: 5 })
    const set = await budgets.set(root, 'ada', { dailyCost: 0 })
    expect(set).toMatchObject({ dailyTokens: null, dailyToolCost: null, dailyCost: 0, left: { cost: 0 } })
  })

  test('of somebody else is for who may look, and to change any takes the right to manage', async () => {
    const { budgets } = await budgetsUnderTest()
    for (const act of [
      () => budgets.get(ada, 'bob'),
      () => budgets.get(ada, '*'),
      () => budgets.list(ada),
      () => budgets.set(ada, 'ada', { dailyTokens: 1_000_000 }),
      () => budgets.remove(ada, 'ada'),
      () => budgets.get(somebody('gus', 'auditor')),
    ])
      expect(await problemOf(act())).toMatchObject({ code: 'PERMISSION_DENIED' })
    const reader: Actor = { ...ada, permissions: ['chat:read', 'user:read'] }
    expect(await budgets.get(reader, 'bob')).toMatchObject({ userId: 'bob' })
    expect(await problemOf(budgets.set(reader, 'bob', {}))).toMatchObject({ code: 'PERMISSION_DENIED' })
  })

  test('of another tenant is not there', async () => {
    const { budgets } = await budgetsUnderTest()
    const rival = somebody('eve', 'admin', 'rival')
    await budgets.set(root, 'ada', { dailyTokens: 10 })
    expect(await budgets.get(rival, 'ada')).toMatchObject({ from: null, dailyTokens: null })
    expect(await budgets.list(rival)).toEqual([])
    expect(await problemOf(budgets.remove(rival, 'ada'))).toMatchObject({ code: 'NOT_FOUND' })
    await budgets.set(rival, 'ada', { dailyTokens: 99 })
    expect(await budgets.get(ada)).toMatchObject({ dailyTokens: 10 })
  })

  for (const value of [-1, 1.5, Number.NaN, Infinity, 2 ** 53, '5' as unknown as number])
    test(`refuses ${String(value)} and names the field`, async () => {
      const { budgets } = await budgetsUnderTest()
      for (const field of ['dailyTokens', 'dailyToolCost', 'dailyCost']) {
        const problem = await problemOf(budgets.set(root, 'ada', { [field]: value }))
        expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field })
        expect(problem.message).toContain('null for no limit')
      }
      expect(await budgets.list(root)).toEqual([])
    })

  test('refuses a user id nobody can have', async () => {
    const { budgets } = await budgetsUnderTest()
    for (const userId of ['', ' ', 'a/b', '**', 'x'.repeat(101)])
      expect(await problemOf(budgets.set(root, userId, {}))).toMatchObject({ field: 'userId' })
  })

  verifies('GOV-10', 'is recorded when it changes: who, whose, how much', async () => {
    const { store, budgets } = await budgetsUnderTest()
    await budgets.set(root, 'ada', { dailyTokens: 10, dailyCost: 20 })
    await budgets.remove(root, 'ada')
    await problemOf(budgets.remove(root, 'ada'))
    const { items } = await store.auditPage({ tenant: 'acme' })
    expect(items).toMatchObject([
      { action: 'budget_changed', userId: 'root', metadata: { holder: 'ada', removed: true } },
      { action: 'budget_changed', userId: 'root', metadata: { holder: 'ada', dailyTokens: 10, dailyCost: 20 } },
    ])
    expect(items).toHaveLength(2)
  })
})
