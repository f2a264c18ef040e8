import type { DatabaseSync } from 'node:sqlite'
import type { Reserved } from '../../contract/event.ts'
import { dayOf, type Spending } from '../spending.ts'
import type { SpendingQuery } from '../money.ts'
import type { Left, OverBudget, SpendingView } from '../money.ts'
import type { Entitlements } from './entitlements.ts'

type What = keyof Left

interface Used {
  tokens: number
  tool_cost: number
  cost: number
}

/** What is left of a budget, with its limit; below zero where more was used than was set aside. */
export type Room = { readonly [W in What]: { readonly limit: number; readonly left: number } | null }

export type Budgets = ReturnType<typeof budgetsIn>

/** What users may spend on a day, beside what they have spent and what is set aside for them. */
export function budgetsIn(db: DatabaseSync, entitlements: Entitlements) {
  const spent = db.prepare('SELECT tokens, tool_cost, cost FROM spent WHERE tenant = ? AND user_id = ? AND day = ?')
  const aside = db.prepare(
    `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost,
       coalesce(sum(cost) FILTER (WHERE what = 'tool'), 0) AS tool_cost
     FROM reservations WHERE tenant = ? AND user_id = ? AND day = ? AND settled_at IS NULL`,
  )
  const perDay = db.prepare(
    `SELECT user_id, day, tokens, tool_cost, cost FROM spent
     WHERE tenant = ? AND (? IS NULL OR user_id = ?) AND day >= ? AND day <= ? ORDER BY day DESC, user_id`,
  )
  const forget = db.prepare(
    `DELETE FROM reservations WHERE key IN
     (SELECT key FROM reservations WHERE settled_at IS NOT NULL AND at < ? ORDER BY at LIMIT ?)`,
  )

  /** Undefined where nothing is limited. */
  function room(tenant: string, userId: string, day: string): Room | undefined {
    const limits = entitlements.get(tenant, userId)
    if (!limits) return undefined
    const { dailyTokens, dailyToolCost, dailyCost } = limits
    if (dailyTokens === null && dailyToolCost === null && dailyCost === null) return undefined
    const used = (spent.get(tenant, userId, day) ?? NOTHING) as unknown as Used
    const held = aside.get(tenant, userId, day) as unknown as Used
    const within = (limit: number | null, column: keyof Used) =>
      limit === null ? null : { limit, left: limit - used[column] - held[column] }
    return {
      tokens: within(dailyTokens, 'tokens'),
      tools: within(dailyToolCost, 'tool_cost'),
      cost: within(dailyCost, 'cost'),
    }
  }

  return {
    room,

    left(tenant: string, userId: string, at: number): Left {
      const found = room(tenant, userId, dayOf(at))
      const shown = (what: What) => (found?.[what] ? Math.max(0, found[what].left) : null)
      return { tokens: shown('tokens'), tools: shown('tools'), cost: shown('cost') }
    },

    refusal(room: Room, what: Spending['what'], wanted: Reserved): OverBudget | undefined {
      const amounts = { tokens: wanted.tokens, tools: what === 'tool' ? wanted.cost : 0, cost: wanted.cost }
      for (const each of ['tokens', 'tools', 'cost'] as const) {
        const of = room[each]
        // What needs nothing of a budget is not stopped by one that is used up.
        if (of && amounts[each] > 0 && amounts[each] > of.left)
          return { kind: 'over', what: each, limit: of.limit, left: Math.max(0, of.left) }
      }
      return undefined
    },

    spending({ tenant, since = '', until = '~', ...only }: SpendingQuery): SpendingView[] {
      const userId = only.userId ?? null
      const rows = perDay.all(tenant, userId, userId, since, until) as unknown as (Used & {
        user_id: string
        day: string
      })[]
      return rows.map(({ user_id, day, tokens, tool_cost, cost }) => ({
        userId: user_id,
        day,
        tokens,
        toolCost: tool_cost,
        cost,
      }))
    },

    forget: (before: number, most: number): number => Number(forget.run(before, most).changes),
  }
}

const NOTHING: Used = { tokens: 0, tool_cost: 0, cost: 0 }
