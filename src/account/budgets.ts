import type { BudgetLeft, BudgetLimits, BudgetView } from '../contract/account.ts'
import { auditRecord, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { type Entitlement, EVERYBODY, type MoneyStore } from '../store/index.ts'

/** Budgets of the users of the actor's tenant. */
export interface Budgets {
  get(actor: Actor, userId?: string): Promise<BudgetView>
  /** Replaces the earlier budget; `*` is the budget of everyone without their own. */
  set(actor: Actor, userId: string, limits: BudgetLimits): Promise<BudgetView>
  remove(actor: Actor, userId: string): Promise<void>
  list(actor: Actor): Promise<BudgetView[]>
  /** For a decision before anything is reserved. */
  left(tenant: string, userId: string): Promise<BudgetLeft>
}

const FIELDS = ['dailyTokens', 'dailyToolCost', 'dailyCost'] as const
const UNLIMITED = { dailyTokens: null, dailyToolCost: null, dailyCost: null } as const

export function createBudgets(store: MoneyStore, clock: Clock): Budgets {
  const left = (tenant: string, userId: string): Promise<BudgetLeft> => store.left(tenant, userId, clock.now())

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
    throw invalidField('userId', 'must have 1 to 100 letters, digits, spaces or . _ @ -, or be * for everybody')
}

function checkLimits(limits: BudgetLimits): Required<BudgetLimits> {
  const { dailyTokens = null, dailyToolCost = null, dailyCost = null } = limits
  const checked = { dailyTokens, dailyToolCost, dailyCost }
  for (const field of FIELDS) {
    const value = checked[field]
    if (value !== null && !(Number.isSafeInteger(value) && value >= 0))
      throw invalidField(field, 'must be a whole number, 0 or more, or null for no limit')
  }
  return checked
}

function numbers(limits: Required<BudgetLimits>): AuditMetadata {
  return Object.fromEntries(FIELDS.flatMap((field) => (limits[field] === null ? [] : [[field, limits[field]]])))
}
