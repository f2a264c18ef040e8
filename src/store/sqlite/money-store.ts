import type { MoneyStore } from '../money.ts'
import type { Base } from './base.ts'
import type { Budgets } from './budgets.ts'
import type { Entitlements } from './entitlements.ts'

export function moneyStore({ group, beside, reading }: Base, entitlements: Entitlements, budgets: Budgets): MoneyStore {
  return {
    putEntitlement: (entitlement, more) =>
      beside(more, entitlement.updatedAt, () => {
        entitlements.put(entitlement)
        return 'stored' as const
      }),
    async removeEntitlement(tenant, userId, at, more) {
      return (await beside(more, at, () => entitlements.remove(tenant, userId))) === true
    },
    entitlement: (tenant, userId) => reading(() => entitlements.get(tenant, userId)),
    entitlements: (tenant) => reading(() => entitlements.list(tenant)),
    left: (tenant, userId, at) => reading(() => budgets.left(tenant, userId, at)),
    spending: (query) => reading(() => budgets.spending(query)),
    forgetReservations: (before, most) => group.run(() => budgets.forget(before, most)),
  }
}
