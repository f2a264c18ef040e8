import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import type { Change } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, created, deleted, forked, input, part, said } from './facts.ts'
import { expectedBlobs, expectedParts, Known, type Kind } from './model.ts'
import { nameless, SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

const kinds: readonly Kind[] = [
  'say',
  'start',
  'rest',
  'end',
  'ask',
  'decide',
  'lose',
  'settle',
  'output',
  'attach',
  'rename',
]
const what = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 5 })
const who = fc.nat(20)
const steps = fc.oneof(
  fc.record({ do: fc.constant('create' as const), what }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), who, what }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fork' as const), who, where: fc.nat(1000), what }) },
  fc.record({ do: fc.constant('burst' as const), what }),
  fc.record({ do: fc.constant('stale' as const), who, by: fc.constantFrom(-1, 1) }),
  fc.record({ do: fc.constant('tell' as const), who, key: fc.nat(5) }),
  fc.record({ do: fc.constant('fold' as const), who, what }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('purge' as const), who }) },
  fc.record({ do: fc.constant('claim' as const), who }),
  fc.record({ do: fc.constant('reopen' as const) }),
)
const output = fc.constant<Kind[]>(['say', 'output', 'attach', 'say'])
const familySteps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), who, what: output }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fork' as const), who, where: fc.nat(1000), what: output }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('purge' as const), who }) },
)
/** Either a bit of everything, or a family whose members come and go. */
const walk = fc.oneof(
  fc.array(steps, { maxLength: 35, size: 'max' }),
  fc.array(familySteps, { maxLength: 35, size: 'max' }),
)
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never

export function randomSuite(it: Subject): void {
  describe('any sequence of changes', () => {
    verifies(
      ['LIN-1', 'LIN-6', 'REL-3'],
      'leaves what a simple model says, and nothing once all is purged',
      async () => {
        await fc.assert(
          fc.asyncProperty(walk, fc.infiniteStream(fc.nat(1000)), async (all, dice) => {
            const run = new Run(it)
            await run.take({ do: 'create', what: ['start', 'output', 'say', 'output', 'output'] })
            for (const step of all) {
              await run.take(step)
              await run.compareLogs()
            }
            await run.compare()
            expect((await it.store.check()).findings).toEqual([])
            await run.eraseAll(dice)
            await run.compare()
          }),
          { numRuns: it.runs(150) },
        )
      },
      180_000,
    )
  })
}

/** One run against the store and the model together, in a tenant of its own. */
class Run {
  readonly it: Subject
  readonly tenant = newId()
  readonly all: Known[] = []
  readonly keys = new Set<string>()

  constructor(it: Subject) {
    this.it = it
  }

  async take(step: Step): Promise<void> {
    const known = 'who' in step ? this.pick(step.who, step.do === 'purge' ? 'deleted' : 'living') : undefined
    switch (step.do) {
      case 'create': {
        const fresh = new Known(new SessionWriter(this.it.store, newId(), 1, 0), 'A session')
        this.all.push(fresh)
        const first = created({ actor: { id: 'ada', tenant: this.tenant } })
        return this.commit(fresh, step.what, { create: {} }, first)
      }
      case 'write':
        return known && this.commit(known, step.what)
      case 'burst':
        await Promise.all(this.living().map((each) => this.commit(each, step.what)))
        return
      case 'fork':
        return known && this.fork(known, 1 + (step.where % known.log.length), step.what)
      case 'stale': {
        if (!known) return
        const change = known.writer.change([said()], { expected: known.writer.head + step.by })
        expect(await this.it.store.commit(change)).toEqual({ kind: 'conflict', reason: 'number' })
        return
      }
      case 'tell':
        return known && this.tell(known, `${this.tenant} ${step.key}`)
      case 'fold':
        if (!known) return
        await this.commit(known, step.what, { consumed: known.inputs.map((one) => one.id) })
        known.inputs.length = 0
        return
      case 'delete':
        return known && this.delete(known)
      case 'purge':
        return known && this.purge(known)
      case 'claim':
        if (known) known.writer = await SessionWriter.claim(this.it.store, known.writer.id)
        return
      case 'reopen':
        await this.it.reopen()
        for (const each of this.living()) each.writer = await SessionWriter.claim(this.it.store, each.writer.id)
        return
    }
  }

  async compareLogs(): Promise<void> {
    for (const known of this.all) {
      const log = known.state === 'living' ? known.log.map((line) => line.text) : []
      expect(nameless(await this.it.store.read(known.writer.id))).toEqual(log)
    }
  }

  /** Whatever the store can be asked about, it answers as the model does. */
  async compare(): Promise<void> {
    await this.compareLogs()
    const { store } = this.it
    const { items: asked } = await store.approvals({ tenant: this.tenant, owner: 'ada', limit: 1000 })
    for (const known of this.all) {
      const { id } = known.writer
      const living = known.state === 'living'
      const log = living ? known.log.map((line) => line.text) : []
      const middle = Math.floor(log.length / 2)
      expect(nameless(await store.read(id, { after: middle, limit: 2 }))).toEqual(log.slice(middle, middle + 2))
      expect((await store.session(id))?.title).toBe(living ? known.title : undefined)
      expect(await store.pendingInputs(id)).toEqual(living ? known.inputs : [])
      const rounds = (await store.rounds(id)).map((round) => [round.requestId, round.state])
      expect(new Map(rounds as [string, string][])).toEqual(living ? known.rounds : new Map())
      const approvals = asked.filter(({ sessionId }) => sessionId === id).map((one) => [one.id, one.status] as const)
      expect(new Map<string, string>(approvals)).toEqual(living ? known.approvals : new Map())
      for (const [call, effect] of known.calls) {
        expect((await store.unknownCall(call))?.effect).toBe(living ? effect : undefined)
      }
      for (const [i, line] of known.log.entries()) {
        expect((await store.roundAt(id, i + 1))?.requestId).toBe(living ? line.requestId : undefined)
      }
    }
    await this.compareLists()
  }

  private async compareLists(): Promise<void> {
    const { store } = this.it
    const living = this.living()
    const { items: listed } = await store.sessions({ tenant: this.tenant, owner: 'ada', limit: 100 })
    const lastUsed = living.toReversed().toSorted((a, b) => b.usedAt - a.usedAt)
    expect(listed.map(({ id, usedAt }) => [id, usedAt])).toEqual(
      lastUsed.map(({ writer, usedAt }) => [writer.id, usedAt]),
    )
    const busy = living.filter((known) => known.inputs.length > 0 || known.running)
    const mine = new Set(this.all.map((known) => known.writer.id))
    const unfinished = (await store.unfinished()).filter((id) => mine.has(id))
    expect(unfinished.toSorted()).toEqual(busy.map((known) => known.writer.id).toSorted())
    const { kept, gone } = expectedBlobs(this.all)
    for (const hash of kept) expect(await store.blob(hash)).toBeDefined()
    for (const hash of gone) expect(await store.blob(hash)).toBeUndefined()
    const parts = expectedParts(this.all)
    expect(new Set((await store.parts([...parts.kept, ...parts.gone])).keys())).toEqual(parts.kept)
  }

  /** Deletes and purges everything, in the order the dice say. */
  async eraseAll(dice: Iterator<number>): Promise<void> {
    for (let living = this.living(); living.length > 0; living = this.living()) {
      await this.delete(living[roll(dice) % living.length] as Known)
    }
    const waiting = this.all.filter((known) => known.state === 'deleted')
    while (waiting.length > 0) await this.purge(waiting.splice(roll(dice) % waiting.length, 1)[0] as Known)
  }

  private living(): Known[] {
    return this.all.filter((known) => known.state === 'living')
  }

  private pick(n: number, state: Known['state']): Known | undefined {
    const some = this.all.filter((known) => known.state === state)
    return some[n % some.length]
  }

  private async commit(
    known: Known,
    kinds: readonly Kind[],
    more: Partial<Change> = {},
    first?: ReturnType<typeof said>,
  ): Promise<void> {
    const next = kinds.map((kind) => known.next(kind))
    const events = [...(first ? [first] : []), ...next.map(({ event }) => event)]
    // One that other sessions name too, and one that nobody else does.
    const parts = [part(`${this.tenant} ${kinds.length}`), part()]
    await known.writer.commit(events, { ...more, parts, blobs: next.flatMap(({ blob }) => blob ?? []) })
    known.stored(events, parts)
  }

  private async fork(parent: Known, seq: number, kinds: readonly Kind[]): Promise<void> {
    const fork = new Known(new SessionWriter(this.it.store, newId(), 1, seq), 'A fork', parent, seq)
    this.all.push(fork)
    const first = forked(parent.writer.id, seq)
    const actor = { id: 'ada', tenant: this.tenant }
    const data = { ...first.data, actor }
    const create = { parent: { sessionId: parent.writer.id, seq } }
    await this.commit(fork, kinds, { create }, { ...first, data } as typeof first)
  }

  private async tell(known: Known, key: string): Promise<void> {
    const one = input(known.writer.id)
    const answer = await this.it.store.putInput(one, { claim: claimOf(key) })
    expect(answer === 'stored').toBe(!this.keys.has(key))
    if (answer === 'stored') known.inputs.push(one)
    this.keys.add(key)
  }

  private async delete(known: Known): Promise<void> {
    await known.writer.write(deleted())
    known.state = 'deleted'
  }

  private async purge(known: Known): Promise<void> {
    await this.it.store.purge(known.writer.id)
    known.state = 'purged'
  }
}

const roll = (dice: Iterator<number>): number => dice.next().value as number
