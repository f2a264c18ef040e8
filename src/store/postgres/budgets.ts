import type { BudgetLeft } from '../../contract/account.ts'
import { EVERYBODY, type Entitlement, type MoneyStore, type SpendingView } from '../money.ts'
import { dayOf } from '../spending.ts'
import type { Base } from './base.ts'
import type { Query } from './database.ts'

const UNLIMITED: BudgetLeft = { tokens: null, tools: null, cost: null }

const SELECT = `SELECT tenant, user_id AS "userId", daily_tokens AS "dailyTokens", daily_tool_cost AS "dailyToolCost",
  daily_cost AS "dailyCost", updated_at AS "updatedAt" FROM entitlements WHERE tenant = $1`

/** A user's own entitlement, else that of everybody. */
const OWN_FIRST = `user_id IN ($2, '${EVERYBODY}') ORDER BY user_id = $2 DESC LIMIT 1`

/** NULL where nothing is limited. */
const left = (limit: string, used: string): string =>
  `CASE WHEN e.${limit} IS NOT NULL THEN greatest(0, e.${limit} - coalesce(s.${used} + s.held_${used}, 0)) END`

const LEFT = `SELECT ${left('daily_tokens', 'tokens')} AS tokens, ${left('daily_tool_cost', 'tool_cost')} AS tools,
    ${left('daily_cost', 'cost')} AS cost
  FROM (SELECT * FROM entitlements WHERE tenant = $1 AND ${OWN_FIRST}) e
  LEFT JOIN spent s ON s.tenant = $1 AND s.user_id = $2 AND s.day = $3`

/** A row may also exist only because something is reserved. */
const SPENDING = `SELECT user_id AS "userId", day, tokens, tool_cost AS "toolCost", cost FROM spent
  WHERE tenant = $1 AND (tokens > 0 OR tool_cost > 0 OR cost > 0) ORDER BY day DESC, user_id`

const FORGET = `WITH gone AS (DELETE FROM reservations r USING (SELECT session_id, seq FROM reservations
    WHERE settled_at IS NOT NULL AND at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) old
    WHERE r.session_id = old.session_id AND r.seq = old.seq RETURNING 1)
  SELECT count(*) AS n FROM gone`

// The row of user and day is locked while it is looked at, so that two nodes never spend the same money.
const SPEND = `WITH e AS (SELECT daily_tool_cost, daily_cost FROM entitlements WHERE tenant = $1 AND ${OWN_FIRST})
  INSERT INTO spent AS s (tenant, user_id, day, tool_cost, cost)
  SELECT $1, $2, $3, $4::bigint, $4::bigint
  WHERE NOT EXISTS (SELECT FROM e WHERE $4::bigint > e.daily_tool_cost OR $4::bigint > e.daily_cost)
  ON CONFLICT (tenant, user_id, day) DO UPDATE SET tool_cost = s.tool_cost + excluded.tool_cost,
    cost = s.cost + excluded.cost
  WHERE NOT EXISTS (SELECT FROM e WHERE s.tool_cost + s.held_tool_cost + excluded.tool_cost > e.daily_tool_cost
    OR s.cost + s.held_cost + excluded.cost > e.daily_cost)
  RETURNING day`

interface Spent {
  readonly tenant: string
  readonly userId: string
  readonly at: number
  /** micro-dollars */
  readonly cost: number
}

/** Counts what a tool costs outside of a conversation; false, and nothing is counted, if less is left. */
export async function spend(query: Query, { tenant, userId, at, cost }: Spent): Promise<boolean> {
  return (await query(SPEND, [tenant, userId, dayOf(at), cost])).length > 0
}

/** How long this node remembers that there is no entitlement at all, because every turn asks. */
const NOBODY_FOR_MS = 1000

export function budgetStore({ query, withExtras }: Base): MoneyStore {
  let nobodyUntil = -Infinity
  let puts = 0

  /** Remembers that there is no entitlement, unless one is being stored here meanwhile. */
  async function noteNobody(): Promise<void> {
    const [before, asked] = [puts, performance.now()]
    const some = await query('SELECT FROM entitlements LIMIT 1')
    if (some.length === 0 && puts === before) nobodyUntil = asked + NOBODY_FOR_MS
  }

  return {
    async putEntitlement({ tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt }, more) {
      puts++
      const stored = await withExtras(more, updatedAt, async (inside) => {
        await inside(
          `INSERT INTO entitlements (tenant, user_id, daily_tokens, daily_tool_cost, daily_cost, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, user_id) DO UPDATE SET
             daily_tokens = excluded.daily_tokens, daily_tool_cost = excluded.daily_tool_cost,
             daily_cost = excluded.daily_cost, updated_at = excluded.updated_at`,
          [tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt],
        )
        return 'stored' as const
      })
      puts++
      nobodyUntil = -Infinity
      return stored
    },
    async removeEntitlement(tenant, userId, at, more) {
      const gone = await withExtras(more, at, async (inside) => {
        const rows = await inside('DELETE FROM entitlements WHERE tenant = $1 AND user_id = $2 RETURNING 1', [
          tenant,
          userId,
        ])
        return rows.length > 0
      })
      return gone === true
    },
    async entitlement(tenant, userId) {
      const [row] = await query<Entitlement>(`${SELECT} AND ${OWN_FIRST}`, [tenant, userId])
      return row
    },
    entitlements: (tenant) => query<Entitlement>(`${SELECT} ORDER BY user_id`, [tenant]),
    async left(tenant, userId, at) {
      if (performance.now() < nobodyUntil) return UNLIMITED
      const [row] = await query<BudgetLeft>(LEFT, [tenant, userId, dayOf(at)])
      if (!row) await noteNobody()
      return row ?? UNLIMITED
    },
    spending: (tenant) => query<SpendingView>(SPENDING, [tenant]),
    async forgetReservations(before, most) {
      const [row] = await query<{ n: number }>(FORGET, [before, most])
      return row?.n ?? 0
    },
  }
}
