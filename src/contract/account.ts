import type { Role } from './actor.ts'

/** A key without its secret. */
export interface KeyView {
  readonly id: string
  readonly tenant: string
  readonly userId: string
  readonly name: string
  readonly role: Role
  /** if given, limits what its role allows */
  readonly scopes: readonly string[] | null
  /** may run the installation, whatever its role and scopes are */
  readonly operator: boolean
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** A key with the hash of its secret. */
export interface StoredKey extends KeyView {
  readonly hash: string
}

/** What a user may spend on a day (UTC), in tokens and micro-dollars; null or missing is unlimited. */
export interface BudgetLimits {
  readonly dailyTokens?: number | null
  readonly dailyToolCost?: number | null
  readonly dailyCost?: number | null
}

export interface BudgetView extends Required<BudgetLimits> {
  readonly userId: string
  /** the user the budget was set for: themselves, everybody (`*`), or nobody */
  readonly from: string | null
  /** today; null is unlimited */
  readonly left: BudgetLeft
}

/** Null is unlimited. */
export interface BudgetLeft {
  readonly tokens: number | null
  readonly tools: number | null
  readonly cost: number | null
}
