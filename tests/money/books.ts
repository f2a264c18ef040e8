import type { Reserved, StoredEvent } from '../../src/contract/event.ts'
import type { MoneyHarm } from './judge.ts'

export interface Amounts {
  tokens: number
  toolCost: number
  cost: number
}

interface Aside extends Reserved {
  readonly isTool: boolean
  readonly day: string
}

/**
 * What the log says of money, kept by somebody who knows nothing of the store: set aside by a start, spent by an end,
 * spent whole where the process died in between.
 */
export class Books {
  readonly harms: MoneyHarm[] = []
  /** by day */
  readonly spent = new Map<string, Amounts>()
  /** set aside so far, and what came of it */
  reservations = 0
  settledTokens = 0
  settledCost = 0
  readonly #open = new Map<string, Aside[]>()
  /** whatever was set aside once */
  readonly #known = new Set<string>()
  /** rounds that were started in the session itself: a fork ends one that is its parent's */
  readonly #own = new Set<string>()
  readonly #turnsReserve: boolean

  constructor(turnsReserve: boolean) {
    this.#turnsReserve = turnsReserve
  }

  /** Spent and set aside, of one day. */
  used(day: string): Amounts {
    const all = { ...(this.spent.get(day) ?? NOTHING) }
    for (const one of [...this.#open.values()].flat()) if (one.day === day) add(all, one)
    return all
  }

  get open(): number {
    return [...this.#open.values()].flat().length
  }

  book(event: StoredEvent): void {
    const turn = (n: number): string => `${event.sessionId} ${event.requestId} turn ${n}`
    const call = (id: string): string => `${event.sessionId} ${id}`
    switch (event.type) {
      case 'round.started':
        this.#own.add(`${event.sessionId} ${event.requestId}`)
        return
      case 'turn.started':
      case 'turn.retried':
        if (event.data.reserved) this.#setAside(turn(event.data.turn), event.data.reserved, false, event)
        else if (this.#turnsReserve) this.#harm('turns set something aside', `${turn(event.data.turn)} did not`)
        return
      case 'round.resumed':
        if (event.data.reason !== 'takeover') return
        this.#settle(turn(event.data.turn), 'all', event)
        if (event.data.reserved) this.#setAside(turn(event.data.turn), event.data.reserved, false, event)
        return
      case 'turn.ended': {
        const { usage, cost } = event.data
        const spent = cost === undefined ? 'all' : { tokens: usage.input + usage.output, cost: Math.ceil(cost) }
        this.#settle(turn(event.data.turn), spent, event)
        return
      }
      case 'tool.started': {
        const { callId, reserved: cost, tokens = 0 } = event.data
        if (cost > 0 || tokens > 0 || event.data.quota) this.#setAside(call(callId), { tokens, cost }, true, event)
        return
      }
      case 'tool.result': {
        const { callId, cost, tokens = 0, outcome } = event.data
        const aside = this.#open.get(call(callId))?.[0]
        if (outcome === 'unknown' && aside && (cost !== aside.cost || tokens !== aside.tokens))
          this.#harm('unknown is settled whole', `${callId} set ${aside.cost} aside and is settled at ${cost}`)
        this.#settle(call(callId), { tokens, cost }, event, true)
        return
      }
      default:
    }
  }

  #setAside(about: string, { tokens, cost }: Reserved, isTool: boolean, { at, type }: StoredEvent): void {
    if (this.#open.has(about) && type !== 'turn.retried')
      this.#harm('set aside once', `${about} sets something aside twice`)
    const one = { tokens: Math.ceil(tokens), cost: Math.ceil(cost), isTool, day: dayOf(at) }
    this.#open.set(about, [...(this.#open.get(about) ?? []), one])
    this.#known.add(about)
    this.reservations += 1
  }

  #settle(
    about: string,
    spent: Reserved | 'all',
    { at, sessionId, requestId, type }: StoredEvent,
    isTool = false,
  ): void {
    const open = this.#open.get(about)
    if (!open) {
      if (spent === 'all' || spent.tokens + spent.cost === 0) return
      // What a fork says of a round it inherited is its parent's, and counted there.
      if (!this.#own.has(`${sessionId} ${requestId}`)) return
      if (this.#known.has(about)) this.#harm('settled once', `${about} is settled again by ${type}`)
      else if (isTool) this.#harm('settled once', `${about} costs something and never began`)
      else this.#count(dayOf(at), { ...spent, isTool })
      return
    }
    this.#open.delete(about)
    const whole = spent === 'all' ? sum(open) : spent
    const [{ day }] = open as [Aside]
    this.settledTokens += whole.tokens
    this.settledCost += whole.cost
    this.#count(day, { ...whole, isTool })
  }

  #count(day: string, spent: Reserved & { readonly isTool: boolean }): void {
    const all = this.spent.get(day) ?? { ...NOTHING }
    this.spent.set(day, all)
    add(all, spent)
  }

  #harm(check: string, what: string): void {
    this.harms.push({ check, what })
  }
}

const NOTHING: Amounts = { tokens: 0, toolCost: 0, cost: 0 }

function add(all: Amounts, { tokens, cost, isTool }: Reserved & { readonly isTool: boolean }): void {
  all.tokens += tokens
  all.cost += cost
  if (isTool) all.toolCost += cost
}

function sum(open: readonly Reserved[]): Reserved {
  return {
    tokens: open.reduce((all, { tokens }) => all + tokens, 0),
    cost: open.reduce((all, { cost }) => all + cost, 0),
  }
}

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
