import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { NewEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, fact, started } from './facts.ts'
import { again, at, begun, called, entitled, NOON, paid, takenOver, turn, turned } from './money-facts.ts'
import { Books, sum, type Limits } from './money-model.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

const LIMITS = new Map<string, Limits>([
  ['ada', { dailyTokens: 100, dailyToolCost: 40, dailyCost: 60 }],
  ['bob', { dailyTokens: null, dailyToolCost: null, dailyCost: 30 }],
])
const USERS = ['ada', 'bob', 'eve'] as const
const QUOTA = { perHour: 6, concurrent: 2 }
const SESSIONS = 5

const who = fc.nat(SESSIONS - 1)
const amount = fc.nat(30)
const share = fc.nat(100)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const), who, tokens: amount, cost: amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), who, tokens: amount, cost: amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), who, share }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('call' as const), who, cost: amount, quota: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('result' as const), who, share }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), who, tokens: amount, cost: amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.nat(8 * 60) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

export function moneyRandomSuite(it: Subject): void {
  describe('any sequence of starts, ends and crashes', () => {
    verifies(
      ['GOV-9', 'GOV-10'],
      'never spends and sets aside more than a budget allows, and settles everything once',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (all) => {
            const run = new Run(it)
            await run.begin()
            for (const one of all) {
              await run.take(one)
              await run.compare()
            }
            expect((await it.store.check()).findings).toEqual([])
            await run.endAll()
            await run.compare()
            expect((await it.store.check()).findings).toEqual([])
          }),
          { numRuns: it.runs(60) },
        )
      },
      120_000,
    )

    verifies('GOV-9', 'keeps to a budget when a hundred sessions start at once, again and again', async () => {
      const limit = 1000
      await it.store.putEntitlement(entitled({ dailyTokens: limit }))
      const writers = await Promise.all(Array.from({ length: 100 }, () => SessionWriter.create(it.store)))
      let used = 0
      for (let n = 1; used < limit - 5; n++) {
        const answers = await Promise.all(
          writers.map(async (writer, i) => {
            const answer = await it.store.commit(writer.change(at(NOON, turn(writer.id, n, 40 + (i % 7)))))
            if (answer.kind === 'committed') writer.head += 1
            return answer.kind === 'committed' ? { writer, tokens: 5 + (i % 7) } : undefined
          }),
        )
        const begun = answers.filter((one) => one !== undefined)
        if (begun.length === 0) break
        expect((await it.store.left('local', 'ada', NOON)).tokens).toBeGreaterThanOrEqual(0)
        await Promise.all(begun.map(({ writer, tokens }) => writer.write(...at(NOON, turned(writer.id, n, tokens, 0)))))
        used += begun.reduce((all, { tokens }) => all + tokens, 0)
        expect(await it.store.left('local', 'ada', NOON)).toMatchObject({ tokens: limit - used })
      }
      expect(used).toBeGreaterThan(limit - 47)
      expect(used).toBeLessThanOrEqual(limit)
    })
  })
}

interface Live {
  writer: SessionWriter
  readonly user: string
  readonly round: string
  /** its number, and what was set aside for it by the attempts that live */
  turn: { n: number; reserved: { tokens: number; cost: number }[] } | undefined
  turns: number
  readonly calls: { about: string; callId: string; cost: number }[]
}

/** One run against the store and the books together, in a tenant of its own. */
class Run {
  readonly it: Subject
  readonly tenant = newId()
  readonly books = new Books(LIMITS)
  readonly live: Live[] = []
  now = NOON

  constructor(it: Subject) {
    this.it = it
  }

  async begin(): Promise<void> {
    for (const [userId, limits] of LIMITS)
      await this.it.store.putEntitlement(entitled({ tenant: this.tenant, userId, ...limits }))
    for (let i = 0; i < SESSIONS; i++) {
      const user = USERS[i % USERS.length] as string
      const writer = await SessionWriter.create(this.it.store, { actor: { id: user, tenant: this.tenant } })
      const round = newId()
      await writer.write(started(round))
      this.live.push({ writer, user, round, turn: undefined, turns: 0, calls: [] })
    }
  }

  async take(step: Step): Promise<void> {
    const session = 'who' in step ? (this.live[step.who] as Live) : (this.live[0] as Live)
    const { turn: current, calls } = session
    switch (step.do) {
      case 'turn':
        return current ? undefined : this.attempt(session, turn, session.turns + 1, step)
      case 'retry':
        return current && this.attempt(session, again, current.n, step)
      case 'end': {
        if (!current) return
        const all = sum(current.reserved)
        const spent = { tokens: part(all.tokens, step.share), cost: part(all.cost, step.share) }
        return this.endTurn(session, current.n, spent)
      }
      case 'lose':
        return current && this.endTurn(session, current.n, 'all')
      case 'call':
        return this.call(session, step.cost, step.quota)
      case 'result': {
        const one = calls.shift()
        return one && this.result(session, one, part(one.cost, step.share))
      }
      case 'crash':
        return this.crash(session, step)
      case 'fork':
        return this.fork(session)
      case 'sweep':
        await this.it.store.forgetReservations(this.now - 2 * 24 * 3_600_000, 3)
        return
      case 'reopen':
        await this.it.reopen()
        for (const each of this.live) each.writer = await SessionWriter.claim(this.it.store, each.writer.id)
        return
      case 'wait':
        this.now += step.minutes * 60_000
        return
    }
  }

  /** At every moment the store knows what the books know, and no budget is overdrawn. */
  async compare(): Promise<void> {
    const today = dayOf(this.now)
    for (const user of USERS) {
      const limits = LIMITS.get(user)
      const [used, held] = [this.books.used(user, today), this.books.held(user, today)]
      const left = (limit: number | null | undefined, what: keyof typeof used): number | null =>
        limit === null || limit === undefined ? null : limit - used[what] - held[what]
      const expected = {
        tokens: left(limits?.dailyTokens, 'tokens'),
        tools: left(limits?.dailyToolCost, 'tools'),
        cost: left(limits?.dailyCost, 'cost'),
      }
      for (const one of Object.values(expected)) expect(one ?? 0).toBeGreaterThanOrEqual(0)
      expect(await this.it.store.left(this.tenant, user, this.now)).toEqual(expected)
    }
    const counted = await this.it.store.spending(this.tenant)
    const nonZero = counted.filter(({ tokens, cost }) => tokens > 0 || cost > 0)
    const seen = nonZero.map(({ userId, day, tokens, toolCost, cost }) => [
      `${userId} ${day}`,
      { tokens, tools: toolCost, cost },
    ])
    expect(new Map(seen as [string, object][])).toEqual(
      new Map([...this.books.spent].filter(([, { tokens, cost }]) => tokens > 0 || cost > 0)),
    )
  }

  async endAll(): Promise<void> {
    for (const session of this.live) {
      if (session.turn) await this.endTurn(session, session.turn.n, 'all')
      for (const one of session.calls.splice(0)) await this.result(session, one, one.cost)
    }
    expect(this.books.open.size).toBe(0)
  }

  private async attempt(session: Live, event: typeof turn, n: number, wanted: { tokens: number; cost: number }) {
    const fits = this.books.reserve(`${session.round} ${n}`, this.aside(session, wanted, false))
    if (!(await this.try(session, fits, event(session.round, n, wanted.tokens, wanted.cost)))) return
    session.turns = n
    session.turn = { n, reserved: [...(session.turn?.reserved ?? []), wanted] }
  }

  private async endTurn(session: Live, n: number, spent: { tokens: number; cost: number } | 'all'): Promise<void> {
    this.books.settle(`${session.round} ${n}`, spent, this.whose(session, false))
    session.turn = undefined
    const end = spent === 'all' ? turned(session.round, n, 0) : turned(session.round, n, spent.tokens, spent.cost)
    await session.writer.write(...at(this.now, end))
  }

  private async call(session: Live, cost: number, quota: boolean): Promise<void> {
    const callId = newId()
    const about = `${quota ? 'quota' : 'call'} ${callId}`
    const wanted = this.aside(session, { tokens: 0, cost }, true)
    const fits = cost === 0 && !quota ? true : this.books.reserve(about, wanted, quota ? QUOTA : undefined)
    const tool = quota ? 'rare' : 'search'
    const events = [
      called(session.round, callId, tool),
      begun(session.round, callId, cost, quota ? QUOTA : undefined, tool),
    ]
    if (await this.try(session, fits, ...events)) session.calls.push({ about, callId, cost })
  }

  private async result(session: Live, one: Live['calls'][number], cost: number): Promise<void> {
    this.books.settle(one.about, { tokens: 0, cost }, this.whose(session, true))
    await session.writer.write(...at(this.now, paid(session.round, one.callId, cost)))
  }

  /** A new owner: an open turn is begun again, or closed where there is not enough left for that. */
  private async crash(session: Live, wanted: { tokens: number; cost: number }): Promise<void> {
    session.writer = await SessionWriter.claim(this.it.store, session.writer.id)
    if (!session.turn) return
    const { n } = session.turn
    const before = new Map(this.books.open)
    const spent = new Map(this.books.spent)
    this.books.settle(`${session.round} ${n}`, 'all', this.whose(session, false))
    const fits = this.books.reserve(`${session.round} ${n}`, this.aside(session, wanted, false))
    if (await this.try(session, fits, takenOver(session.round, n, wanted))) {
      session.turn = { n, reserved: [wanted] }
      return
    }
    for (const [about, asides] of before) this.books.open.set(about, asides)
    this.books.spent.clear()
    for (const [key, purse] of spent) this.books.spent.set(key, purse)
    await this.endTurn(session, n, 'all')
  }

  /** Closes what it inherited, which costs nothing, and is not heard of again. */
  private async fork({ writer, round, turn: current, calls }: Live): Promise<void> {
    const close: NewEvent[] = [
      ...calls.map(({ callId, cost }) => paid(round, callId, cost)),
      ...(current ? [turned(round, current.n, 7, 7)] : []),
      ended(round),
    ]
    const actor = { id: (this.live.find((one) => one.writer === writer) as Live).user, tenant: this.tenant }
    const fork = new SessionWriter(this.it.store, newId(), 1, writer.head)
    const parent = { sessionId: writer.id, seq: writer.head }
    const first = fact('session.forked', { actor, workspaceId: 'home', title: 'A fork', parent })
    await fork.commit(at(this.now, first, ...close), { create: { parent } })
  }

  private async try(session: Live, fits: boolean, ...events: NewEvent[]): Promise<boolean> {
    const answer = await this.it.store.commit(session.writer.change(at(this.now, ...events)))
    expect(answer.kind).toBe(fits ? 'committed' : 'over')
    if (fits) session.writer.head += events.length
    return fits
  }

  private whose({ user }: Live, tool: boolean) {
    return { user, day: dayOf(this.now), tool }
  }

  private aside(session: Live, { tokens, cost }: { tokens: number; cost: number }, tool: boolean) {
    return { ...this.whose(session, tool), at: this.now, tokens, cost }
  }
}

const part = (whole: number, percent: number): number => Math.floor((whole * percent) / 100)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
