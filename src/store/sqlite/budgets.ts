import type { BudgetLeft } from '../../contract/account.ts'
import type { Reserved } from '../../contract/event.ts'
import { dayOf, type Spending } from '../spending.ts'
import { EVERYBODY, type Entitlement, type MoneyStore, type OverBudget, type SpendingView } from '../money.ts'
import type { Base } from './base.ts'

type What = keyof BudgetLeft

interface Used {
  tokens: number
  tool_cost: number
  cost: number
}

/** What is left of a budget, with its limit; negative where more was spent than reserved. */
export type Room = { readonly [W in What]: { readonly limit: number; readonly left: number } | null }

export type Budgets = ReturnType<typeof budgetsIn>

const SELECT = `SELECT tenant, user_id AS userId, daily_tokens AS dailyTokens, daily_tool_cost AS dailyToolCost,
  daily_cost AS dailyCost, updated_at AS updatedAt FROM entitlements WHERE tenant = ?`

export function budgetsIn({ db, group, withExtras, reading }: Base) {
  const put = db.prepare(
    `INSERT OR REPLACE INTO entitlements (tenant, user_id, daily_tokens, daily_tool_cost, daily_cost, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('DELETE FROM entitlements WHERE tenant = ? AND user_id = ?')
  const one = db.prepare(`${SELECT} AND user_id = ?`)
  const ofTenant = db.prepare(`${SELECT} ORDER BY user_id`)
  // Skips all lookups while there is no entitlement at all, because every turn asks.
  let mayHaveSome = db.prepare('SELECT 1 FROM entitlements LIMIT 1').get() !== undefined
  const spent = db.prepare('SELECT tokens, tool_cost, cost FROM spent WHERE tenant = ? AND user_id = ? AND day = ?')
  const reserved = db.prepare(
    `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost,
       coalesce(sum(cost) FILTER (WHERE what = 'tool'), 0) AS tool_cost
     FROM reservations WHERE tenant = ? AND user_id = ? AND day = ? AND settled_at IS NULL`,
  )
  const spend = db.prepare(
    `INSERT INTO spent (tenant, user_id, day, tokens, tool_cost, cost) VALUES (?1, ?2, ?3, 0, ?4, ?4)
     ON CONFLICT DO UPDATE SET tool_cost = tool_cost + excluded.tool_cost, cost = cost + excluded.cost`,
  )
  const perDay = db.prepare(
    `SELECT user_id AS userId, day, tokens, tool_cost AS toolCost, cost FROM spent
     WHERE tenant = ? ORDER BY day DESC, user_id`,
  )
  const forget = db.prepare(
    `DELETE FROM reservations WHERE key IN
     (SELECT key FROM reservations WHERE settled_at IS NOT NULL AND at < ? ORDER BY at LIMIT ?)`,
  )

  function entitlement(tenant: string, userId: string): Entitlement | undefined {
    if (!mayHaveSome) return undefined
    return (one.get(tenant, userId) ?? one.get(tenant, EVERYBODY)) as unknown as Entitlement | undefined
  }

  /** Undefined where nothing is limited. */
  function room(tenant: string, userId: string, day: string): Room | undefined {
    const limits = entitlement(tenant, userId)
    if (!limits) return undefined
    const { dailyTokens, dailyToolCost, dailyCost } = limits
    if (dailyTokens === null && dailyToolCost === null && dailyCost === null) return undefined
    const used = (spent.get(tenant, userId, day) ?? NOTHING) as unknown as Used
    const held = reserved.get(tenant, userId, day) as unknown as Used
    const within = (limit: number | null, column: keyof Used) =>
      limit === null ? null : { limit, left: limit - used[column] - held[column] }
    return {
      tokens: within(dailyTokens, 'tokens'),
      tools: within(dailyToolCost, 'tool_cost'),
      cost: within(dailyCost, 'cost'),
    }
  }

  function refusal(room: Room, what: Spending['what'], wanted: Reserved): OverBudget | undefined {
    const amounts = { tokens: wanted.tokens, tools: what === 'tool' ? wanted.cost : 0, cost: wanted.cost }
    for (const each of ['tokens', 'tools', 'cost'] as const) {
      const of = room[each]
      // A used-up budget does not stop what costs nothing.
      if (of && amounts[each] > 0 && amounts[each] > of.left)
        return { kind: 'over', what: each, limit: of.limit, left: Math.max(0, of.left) }
    }
    return undefined
  }

  const store: MoneyStore = {
    putEntitlement({ tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt }, more) {
      return withExtras(more, updatedAt, () => {
        mayHaveSome = true
        put.run(tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt)
        return 'stored'
      })
    },
    removeEntitlement: async (tenant, userId, at, more) =>
      (await withExtras(more, at, () => remove.run(tenant, userId).changes > 0)) === true,
    entitlement: (tenant, userId) => reading(() => entitlement(tenant, userId)),
    entitlements: (tenant) => reading(() => ofTenant.all(tenant) as unknown as Entitlement[]),
    left: (tenant, userId, at) =>
      reading(() => {
        const found = room(tenant, userId, dayOf(at))
        const shown = (what: What) => (found?.[what] ? Math.max(0, found[what].left) : null)
        return { tokens: shown('tokens'), tools: shown('tools'), cost: shown('cost') }
      }),
    spending: (tenant) => reading(() => perDay.all(tenant) as unknown as SpendingView[]),
    forgetReservations: (before, most) => group.run(() => Number(forget.run(before, most).changes)),
  }
  return {
    room,
    refusal,
    /** Counts what a tool costs outside of a conversation; false, and nothing is counted, if less is left. */
    spend(tenant: string, userId: string, at: number, cost: number): boolean {
      const day = dayOf(at)
      const limits = room(tenant, userId, day)
      if (limits && refusal(limits, 'tool', { tokens: 0, cost })) return false
      spend.run(tenant, userId, day, cost)
      return true
    },
    store,
  }
}

const NOTHING: Used = { tokens: 0, tool_cost: 0, cost: 0 }
