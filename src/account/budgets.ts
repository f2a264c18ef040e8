import { auditRecord, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem, wrong } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { type Entitlement, EVERYBODY, type Left, type MoneyStore } from '../store/index.ts'

/** What a user may spend on a day (UTC). A limit that is not given, or null, is none. Cost is in micro-dollars. */
export interface BudgetLimits {
  readonly dailyTokens?: number | null
  readonly dailyToolCost?: number | null
  readonly dailyCost?: number | null
}

export interface BudgetView extends Required<BudgetLimits> {
  readonly userId: string
  /** whose budget it is: the user's own, everybody's (`*`), or nobody's */
  readonly from: string | null
  /** of today; null is unlimited */
  readonly left: Left
}

/** Budgets of the users of a tenant. Those of other tenants are not there. */
export interface Budgets {
  /** One's own, or somebody else's. */
  get(actor: Actor, userId?: string): Promise<BudgetView>
  /** In place of the budget before; `*` is the budget of each who has none of their own. */
  set(actor: Actor, userId: string, limits: BudgetLimits): Promise<BudgetView>
  remove(actor: Actor, userId: string): Promise<void>
  list(actor: Actor): Promise<BudgetView[]>
  /** For who decides before anything is set aside. */
  left(tenant: string, userId: string): Promise<Left>
}

const FIELDS = ['dailyTokens', 'dailyToolCost', 'dailyCost'] as const
const UNLIMITED = { dailyTokens: null, dailyToolCost: null, dailyCost: null } as const

export function createBudgets(store: MoneyStore, clock: Clock): Budgets {
  const left = (tenant: string, userId: string): Promise<Left> => store.left(tenant, userId, clock.now())

  async function view(tenant: string, userId: string, found: Entitlement | undefined): Promise<BudgetView> {
    const { dailyTokens, dailyToolCost, dailyCost } = found ?? UNLIMITED
    const from = found?.userId ?? null
    return { userId, from, dailyTokens, dailyToolCost, dailyCost, left: await left(tenant, userId) }
  }

  function record(actor: Actor, holder: string, metadata: AuditMetadata): AuditRecord {
    const { id: userId, tenant } = actor
    return auditRecord('budget_changed', { id: newId(), at: clock.now(), userId, tenant }, { holder, ...metadata })
  }

  return {
    async get(actor, userId = actor.id) {
      need(actor, userId === actor.id ? 'chat:read' : 'user:read')
      return view(actor.tenant, userId, await store.entitlement(actor.tenant, userId))
    },
    async set(actor, userId, limits) {
      need(actor, 'user:manage')
      checkUser(userId)
      const checked = checkLimits(limits)
      const entitlement: Entitlement = { tenant: actor.tenant, userId, ...checked, updatedAt: clock.now() }
      await store.putEntitlement(entitlement, { audit: [record(actor, userId, numbers(checked))] })
      return view(actor.tenant, userId, entitlement)
    },
    async remove(actor, userId) {
      need(actor, 'user:manage')
      const audit = [record(actor, userId, { removed: true })]
      if (!(await store.removeEntitlement(actor.tenant, userId, clock.now(), { audit })))
        throw new Problem('NOT_FOUND', `There is no budget of ${userId}.`)
    },
    async list(actor) {
      need(actor, 'user:read')
      const all = await store.entitlements(actor.tenant)
      return Promise.all(all.map((entitlement) => view(actor.tenant, entitlement.userId, entitlement)))
    },
    left,
  }
}

function checkUser(userId: string): void {
  if (userId !== EVERYBODY && !/^[\w.@-][\w .@-]{0,99}$/.test(userId))
    throw wrong('userId', 'must have 1 to 100 letters, digits, spaces or . _ @ -, or be * for everybody')
}

function checkLimits(limits: BudgetLimits): Required<BudgetLimits> {
  const { dailyTokens = null, dailyToolCost = null, dailyCost = null } = limits
  const checked = { dailyTokens, dailyToolCost, dailyCost }
  for (const field of FIELDS) {
    const value = checked[field]
    if (value !== null && !(Number.isSafeInteger(value) && value >= 0))
      throw wrong(field, 'must be a whole number, 0 or more, or null for no limit')
  }
  return checked
}

function numbers(limits: Required<BudgetLimits>): AuditMetadata {
  return Object.fromEntries(FIELDS.flatMap((field) => (limits[field] === null ? [] : [[field, limits[field]]])))
}
