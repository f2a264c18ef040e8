import type { Beside } from './accounts.ts'
import type { Repeated } from './inbox.ts'

/** What users may spend, have spent and have set aside. `LogStore.commit` counts it, with the events that spend it. */
export interface MoneyStore {
  /** What one user, or with `EVERYBODY` everyone without an own one, may spend a day; in place of the one before. */
  putEntitlement(entitlement: Entitlement, beside?: Beside): Promise<'stored' | Repeated>
  /** False if there is none. */
  removeEntitlement(tenant: string, userId: string, at: number, beside?: Beside): Promise<boolean>
  /** The user's own, else that of everybody; undefined means unlimited. */
  entitlement(tenant: string, userId: string): Promise<Entitlement | undefined>
  entitlements(tenant: string): Promise<Entitlement[]>
  /** What a user may still spend on the day of `at`, beside what is set aside. */
  left(tenant: string, userId: string, at: number): Promise<Left>
  /** Per user and day, newest day first, also of sessions that are erased. */
  spending(query: SpendingQuery): Promise<SpendingView[]>
  /** Forgets at most `most` settled reservations made before `before`; what they spent stays counted. Says how many. */
  forgetReservations(before: number, most: number): Promise<number>
}

/** The user id of the entitlement of everyone who has none of their own. */
export const EVERYBODY = '*'

/** What a user may spend on a day (UTC); null is unlimited. Cost is in micro-dollars, `dailyCost` models and tools. */
export interface Entitlement {
  readonly tenant: string
  readonly userId: string
  readonly dailyTokens: number | null
  readonly dailyToolCost: number | null
  readonly dailyCost: number | null
  readonly updatedAt: number
}

/** What the change would set aside is more than is left, or its tool was called too often; nothing was changed. */
export interface OverBudget {
  readonly kind: 'over'
  /** daily `tokens`, cost of `tools` or `cost` of models and tools; calls of the tool `hourly` or `concurrent` */
  readonly what: 'tokens' | 'tools' | 'cost' | 'hourly' | 'concurrent'
  /** whose quota it is */
  readonly tool?: string
  readonly limit: number
  readonly left: number
}

/** Null is unlimited. */
export interface Left {
  readonly tokens: number | null
  readonly tools: number | null
  readonly cost: number | null
}

/** What one user spent on one day (UTC). Cost is in micro-dollars, `cost` that of models and tools. */
export interface SpendingView {
  readonly userId: string
  readonly day: string
  readonly tokens: number
  readonly toolCost: number
  readonly cost: number
}

export interface SpendingQuery {
  readonly tenant: string
  readonly userId?: string
  /** days such as `2026-07-24`, both included */
  readonly since?: string
  readonly until?: string
}
