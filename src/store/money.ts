import type { BudgetLeft } from '../contract/account.ts'
import type { Extras } from './accounts.ts'
import type { Repeated } from './inbox.ts'

/** What users may spend, have spent and have reserved; `LogStore.commit` counts it with the events. */
export interface MoneyStore {
  /** Sets what a user, or with `EVERYBODY` everyone without their own entitlement, may spend a day. */
  putEntitlement(entitlement: Entitlement, extras?: Extras): Promise<'stored' | Repeated>
  removeEntitlement(tenant: string, userId: string, at: number, extras?: Extras): Promise<boolean>
  /** The user's own, else that of everybody; undefined means unlimited. */
  entitlement(tenant: string, userId: string): Promise<Entitlement | undefined>
  entitlements(tenant: string): Promise<Entitlement[]>
  /** What a user may still spend on the day of `at`, without what is reserved. */
  left(tenant: string, userId: string, at: number): Promise<BudgetLeft>
  /** Per user and day, newest day first, including deleted sessions. */
  spending(tenant: string): Promise<SpendingView[]>
  /**
   * Deletes at most `most` settled reservations older than `before` and returns how many; what they spent stays
   * counted.
   */
  forgetReservations(before: number, most: number): Promise<number>
}

/** The user id of the entitlement for everyone without their own. */
export const EVERYBODY = '*'

/**
 * What a user may spend on a day (UTC), in tokens and micro-dollars; null is unlimited, `dailyCost` is models and
 * tools.
 */
export interface Entitlement {
  readonly tenant: string
  readonly userId: string
  readonly dailyTokens: number | null
  readonly dailyToolCost: number | null
  readonly dailyCost: number | null
  readonly updatedAt: number
}

/** The change would reserve more than is left, or exceeds a tool's quota; nothing was stored. */
export interface OverBudget {
  readonly kind: 'over'
  /** daily `tokens`, cost of `tools`, or `cost` of models and tools; calls of the tool per hour or at once */
  readonly what: 'tokens' | 'tools' | 'cost' | 'hourly' | 'concurrent'
  readonly tool?: string
  readonly limit: number
  readonly left: number
}

/** What one user spent on one day (UTC), in tokens and micro-dollars; `cost` is models and tools. */
export interface SpendingView {
  readonly userId: string
  /** such as `2026-07-24` */
  readonly day: string
  readonly tokens: number
  readonly toolCost: number
  readonly cost: number
}
