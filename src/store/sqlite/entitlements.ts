import type { DatabaseSync } from 'node:sqlite'
import { EVERYBODY, type Entitlement } from '../money.ts'

const SELECT = `SELECT tenant, user_id AS userId, daily_tokens AS dailyTokens, daily_tool_cost AS dailyToolCost,
  daily_cost AS dailyCost, updated_at AS updatedAt FROM entitlements WHERE tenant = ?`

export type Entitlements = ReturnType<typeof entitlementsIn>

export function entitlementsIn(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT OR REPLACE INTO entitlements (tenant, user_id, daily_tokens, daily_tool_cost, daily_cost, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('DELETE FROM entitlements WHERE tenant = ? AND user_id = ?')
  const one = db.prepare(`${SELECT} AND user_id = ?`)
  const ofTenant = db.prepare(`${SELECT} ORDER BY user_id`)
  // Where nobody ever had a budget, nobody is looked up: this is asked for every turn.
  let mayHaveSome = db.prepare('SELECT 1 FROM entitlements LIMIT 1').get() !== undefined

  return {
    put({ tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt }: Entitlement): void {
      mayHaveSome = true
      put.run(tenant, userId, dailyTokens, dailyToolCost, dailyCost, updatedAt)
    },
    remove: (tenant: string, userId: string): boolean => remove.run(tenant, userId).changes > 0,
    get(tenant: string, userId: string): Entitlement | undefined {
      if (!mayHaveSome) return undefined
      return (one.get(tenant, userId) ?? one.get(tenant, EVERYBODY)) as unknown as Entitlement | undefined
    },
    list: (tenant: string): Entitlement[] => ofTenant.all(tenant) as unknown as Entitlement[],
  }
}
