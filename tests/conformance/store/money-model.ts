import type { Reserved } from '../../../src/contract/event.ts'

export interface Limits {
  readonly dailyTokens: number | null
  readonly dailyToolCost: number | null
  readonly dailyCost: number | null
}

interface Purse {
  readonly tokens: number
  readonly tools: number
  readonly cost: number
}

interface Aside extends Reserved {
  readonly user: string
  readonly day: string
  readonly tool: boolean
  readonly at: number
}

const NOTHING: Purse = { tokens: 0, tools: 0, cost: 0 }
const HOUR = 3_600_000

/** Who may spend what, who spent what and what is set aside, as simply as it can be said. */
export class Books {
  readonly limits: ReadonlyMap<string, Limits>
  readonly spent = new Map<string, Purse>()
  /** what is open, by what it is for; each attempt is one */
  readonly open = new Map<string, Aside[]>()
  /** times at which calls of the tool with a quota were started */
  readonly calls: number[] = []

  constructor(limits: ReadonlyMap<string, Limits>) {
    this.limits = limits
  }

  /** Does it fit? If so it is set aside. */
  reserve(about: string, wanted: Aside, quota?: { perHour: number; concurrent: number }): boolean {
    const limits = this.limits.get(wanted.user)
    if (limits && !this.fits(limits, wanted)) return false
    if (quota) {
      const now = [...this.open].filter(([name]) => name.startsWith('quota')).length
      const lately = this.calls.filter((at) => at > wanted.at - HOUR).length
      if (lately >= quota.perHour || now >= quota.concurrent) return false
      this.calls.push(wanted.at)
    }
    if (limits || quota) this.open.set(about, [...(this.open.get(about) ?? []), wanted])
    return true
  }

  /** Whatever is open for it is spent; what was never set aside is spent when it ends. */
  settle(about: string, spent: Reserved | 'all', otherwise: { user: string; day: string; tool: boolean }): void {
    const open = this.open.get(about)
    this.open.delete(about)
    if (!open) {
      if (spent !== 'all') this.count(otherwise, spent)
      return
    }
    let { tokens, cost } = spent === 'all' ? sum(open) : spent
    for (const one of open) {
      const part = { tokens: Math.min(tokens, one.tokens), cost: Math.min(cost, one.cost) }
      this.count(one, part)
      tokens -= part.tokens
      cost -= part.cost
    }
  }

  used(user: string, day: string): Purse {
    return this.spent.get(`${user} ${day}`) ?? NOTHING
  }

  held(user: string, day: string): Purse {
    const mine = [...this.open.values()].flat().filter((one) => one.user === user && one.day === day)
    return { ...sum(mine), tools: sum(mine.filter(({ tool }) => tool)).cost }
  }

  private fits({ dailyTokens, dailyToolCost, dailyCost }: Limits, wanted: Aside): boolean {
    const used = this.used(wanted.user, wanted.day)
    const held = this.held(wanted.user, wanted.day)
    const under = (limit: number | null, what: keyof Purse, amount: number): boolean =>
      limit === null || amount === 0 || used[what] + held[what] + amount <= limit
    return (
      under(dailyTokens, 'tokens', wanted.tokens) &&
      under(dailyToolCost, 'tools', wanted.tool ? wanted.cost : 0) &&
      under(dailyCost, 'cost', wanted.cost)
    )
  }

  private count({ user, day, tool }: { user: string; day: string; tool: boolean }, { tokens, cost }: Reserved): void {
    const before = this.used(user, day)
    if (tokens === 0 && cost === 0 && before === NOTHING) return
    this.spent.set(`${user} ${day}`, {
      tokens: before.tokens + tokens,
      tools: before.tools + (tool ? cost : 0),
      cost: before.cost + cost,
    })
  }
}

export function sum(amounts: readonly Reserved[]): Reserved {
  return {
    tokens: amounts.reduce((all, { tokens }) => all + tokens, 0),
    cost: amounts.reduce((all, { cost }) => all + cost, 0),
  }
}
