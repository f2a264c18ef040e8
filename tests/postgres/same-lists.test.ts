import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { NewEvent } from '../../src/contract/event.ts'
import type { Input } from '../../src/contract/input.ts'
import type { Usage } from '../../src/contract/message.ts'
import { newId } from '../../src/lib/id.ts'
import type { Page, Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import {
  asked,
  created,
  decided,
  deleted,
  fact,
  forked,
  input,
  message,
  reconciled,
  said,
  started,
  unknown,
  unstarted,
} from '../conformance/store/facts.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { twinStore } from '../support/postgres/twin-store.ts'

/** `npm run test:postgres` has more. */
const RUNS = process.env['SEGNO_TEST_LONG'] ? 30 : 2
const STEPS = 40

const PEOPLE = [
  { id: 'ada', tenant: 'local' },
  { id: 'Bob', tenant: 'local' },
  { id: 'ada', tenant: 'Other' },
] as const
const TITLES = [
  'Große ÄRGER',
  'grosse ärger',
  'ΣΊΣΥΦΟΣ',
  'Σίσυφος',
  '50% off_er\\',
  'a\0b',
  'half \ud800',
  '',
  'ﬁne İI',
  'Ａ１',
  'e\u0301te',
  'z',
]
const MODELS = ['b/model', 'B/model', 'a/ö', 'a/z']
const WORDS = ['ÄRGER grosse', 'σίσυφοσ', '%', '_e', '\\', 'A\0B', 'fine', 'z', '\ud800', 'i', 'a1', 'ÉTÉ', 'ét']
const KINDS = [
  'start',
  'wait',
  'pause',
  'resume',
  'retry',
  'end',
  'cancelled',
  'ask',
  'again',
  'decide',
  'lose',
] as const
const MORE = ['settle', 'rename', 'archive', 'back', 'model', 'say'] as const

const n = fc.nat(1000)
const kinds = fc.array(fc.constantFrom(...KINDS, ...MORE), { minLength: 1, maxLength: 4 })
const steps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), n, kinds }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), n, kinds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), n, at: n, kinds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('message' as const), n }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decision' as const), n, late: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const), n, kinds }) },
  fc.record({ do: fc.constant('delete' as const), n }),
  fc.record({ do: fc.constant('purge' as const), n }),
)
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never
type Kind = (typeof KINDS)[number] | (typeof MORE)[number]

interface Session {
  readonly id: string
  readonly actor: (typeof PEOPLE)[number]
  head: number
  round: string | undefined
  state: 'living' | 'deleted' | 'purged'
  readonly rounds: string[]
  readonly approvals: string[]
  readonly calls: string[]
  readonly inputs: Input[]
}

test('whatever is stored, both databases list the same', async () => {
  const { url, drop } = await freshDatabase()
  const limits = { connections: 4, connectMs: 5000, statementMs: 20_000 }
  const { store: postgres } = await openPostgres({ url, node: { id: () => 'here' }, ...limits })
  const sqlite = openSqliteStore({ file: ':memory:', durability: 'normal' })
  onTestFinished(async () => {
    await sqlite.close()
    await postgres.close()
    await drop()
  })
  const store = twinStore(sqlite, postgres)
  for (const n of TITLES.keys()) await take(store, [], { do: 'create', n, kinds: [] })
  const walk = fc.array(steps, { minLength: STEPS / 2, maxLength: STEPS, size: 'max' })
  await fc.assert(
    fc.asyncProperty(walk, async (some) => {
      const now: Session[] = []
      for (const step of some) await take(store, now, step)
      // What earlier runs left stays: lists show it too.
      await compareEach(store, now)
      await compareLists(store)
      expect(await store.check()).toMatchObject({ ok: true })
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)

async function take(store: Store, all: Session[], step: Step): Promise<void> {
  const from = all.filter(({ state }) => state === (step.do === 'purge' ? 'deleted' : 'living'))
  const one = from[step.n % from.length]
  if (step.do === 'create' || !one) {
    const fresh = sessionOf(newId(), PEOPLE[step.n % PEOPLE.length] as Session['actor'], 0)
    all.push(fresh)
    const title = TITLES[step.n % TITLES.length] as string
    const alias = step.n % 5 === 0 ? { alias: `nick ${fresh.id}` } : {}
    const first = created({ actor: fresh.actor, title, ...alias })
    return write(store, fresh, [first, ...(step.do === 'create' ? eventsOf(fresh, step) : [])], { create: {} })
  }
  switch (step.do) {
    case 'write':
      return write(store, one, eventsOf(one, step))
    case 'fork': {
      const seq = 1 + (step.at % one.head)
      const fork = sessionOf(newId(), one.actor, seq)
      all.push(fork)
      const first = forked(one.id, seq)
      const actors = { ...first, data: { ...first.data, actor: one.actor } } as NewEvent
      return write(store, fork, [actors, ...eventsOf(fork, step)], { create: { parent: { sessionId: one.id, seq } } })
    }
    case 'message': {
      const body = { ...message('hello'), actor: one.actor, model: MODELS[step.n % MODELS.length] as string }
      return put(store, one, input(one.id, body))
    }
    case 'decision': {
      const approvalId = one.approvals[step.n % one.approvals.length]
      if (approvalId === undefined) return
      const decision = step.n % 2 === 0 ? 'approve' : 'deny'
      const made = input(one.id, { kind: 'decision', approvalId, decision, by: 'eve' })
      return put(store, one, { ...made, key: `decision:${approvalId}`, ...(step.late && { at: 3_000_000_000_000 }) })
    }
    case 'fold': {
      const [first] = one.inputs.splice(0, 1)
      return write(store, one, eventsOf(one, step), first && { consumed: [first.id] })
    }
    case 'delete':
      await write(store, one, [deleted()])
      one.state = 'deleted'
      one.inputs.length = 0
      return
    case 'purge':
      await store.purge(one.id)
      one.state = 'purged'
      return
  }
}

const sessionOf = (id: string, actor: Session['actor'], head: number): Session => ({
  id,
  actor,
  head,
  round: undefined,
  state: 'living',
  rounds: [],
  approvals: [],
  calls: [],
  inputs: [],
})

async function write(store: Store, one: Session, events: NewEvent[], more: object = {}): Promise<void> {
  const answer = await store.commit({ sessionId: one.id, epoch: 1, expected: one.head, events, ...more })
  expect(answer).toMatchObject({ kind: 'committed' })
  one.head += events.length
}

async function put(store: Store, one: Session, made: Input): Promise<void> {
  if ((await store.putInput(made)) === 'stored') one.inputs.push(made)
}

const eventsOf = (one: Session, step: { n: number; kinds: readonly Kind[] }): NewEvent[] =>
  step.kinds.map((kind) => eventOf(one, kind, step.n))

/** What a wish means here: something that makes sense, or a message. */
function eventOf(one: Session, kind: Kind, dice: number): NewEvent {
  const { round } = one
  const pick = <T>(from: readonly T[]): T | undefined => from[dice % from.length]
  switch (kind) {
    case 'start': {
      if (round !== undefined) return said()
      one.rounds.push((one.round = newId()))
      const first = started(one.round)
      const chosen = { model: pick(MODELS), protocol: pick(['unified', 'triggered']), actor: one.actor }
      return { ...first, data: { ...first.data, ...chosen } } as NewEvent
    }
    case 'cancelled': {
      const id = newId()
      one.rounds.push(id)
      // Rounds of the same moment stand in an order of each store's own.
      const end = unstarted(id)
      const unstartedAt = { protocol: 'triggered', mode: 'plan', model: 'm', queuedAt: end.at }
      return { ...end, data: { ...end.data, unstarted: unstartedAt } } as NewEvent
    }
    case 'lose': {
      const id = newId()
      one.calls.push(id)
      return unknown(round ?? newId(), id)
    }
    case 'settle': {
      const lost = pick(one.calls)
      return lost === undefined ? said() : reconciled(lost, dice % 2 === 0)
    }
    case 'decide': {
      const id = pick(one.approvals)
      const decision = pick(['approve', 'deny', 'expired', 'stale'] as const) ?? 'deny'
      return id === undefined ? said() : decided(newId(), id, decision)
    }
    case 'rename':
      return fact('session.changed', { title: pick(TITLES) ?? '' })
    case 'archive':
      return fact('session.archived', { by: 'ada' })
    case 'back':
      return fact('session.changed', { archived: false, protocol: dice % 2 === 0 ? 'triggered' : null })
    case 'model':
      return fact('session.changed', { model: pick([...MODELS, null]) ?? null })
    case 'say':
      return said()
    case 'wait':
    case 'pause':
    case 'resume':
    case 'retry':
    case 'end':
    case 'ask':
    case 'again':
      return round === undefined ? said() : inRound(one, round, kind, dice)
  }
}

type InRound = 'wait' | 'pause' | 'resume' | 'retry' | 'end' | 'ask' | 'again'

function inRound(one: Session, round: string, kind: InRound, dice: number): NewEvent {
  switch (kind) {
    case 'wait':
      return fact(
        'round.waiting',
        { for: dice % 2 === 0 ? 'approval' : 'result', callIds: ['c'], until: dice % 3 === 0 ? null : dice },
        round,
      )
    case 'pause':
      return fact('round.paused', { nextPhaseIndex: 1 }, round)
    case 'resume':
      return fact('round.resumed', { n: 1, turn: 1, reason: 'decided' }, round)
    case 'retry': {
      const model = MODELS[dice % MODELS.length] as string
      return fact('turn.retried', { turn: 1, attempt: 1, reason: 'cut', model, waitMs: 1, shown: false }, round)
    }
    case 'end': {
      one.round = undefined
      const usage: Usage = {
        input: dice,
        output: 2,
        ...(dice % 2 === 0 && { cachedRead: dice, reasoning: 1 }),
        ...(dice % 3 === 0 && { estimated: true }),
        ...(dice % 5 === 0 && { unpriced: true, cachedWrite: 3 }),
      }
      const finishReason = dice % 2 === 0 ? 'complete' : 'error'
      return fact('round.ended', { finishReason, usage, cost: dice }, round)
    }
    case 'ask':
    case 'again': {
      const replaced = kind === 'again' ? one.approvals[dice % one.approvals.length] : undefined
      const id = newId()
      one.approvals.push(id)
      const made = asked(round, id)
      return { ...made, data: { ...made.data, ...(replaced !== undefined && { replaces: replaced }) } } as NewEvent
    }
  }
}

/** Everything that is asked about one session, round, approval or call. */
async function compareEach(store: Store, all: readonly Session[]): Promise<void> {
  for (const { id, head, rounds, approvals, calls, actor } of all) {
    await store.session(id)
    await store.sessionByAlias(actor, `nick ${id}`)
    await store.family(id)
    await store.rounds(id)
    await store.rounds(id, 2)
    await store.usage({ tenant: actor.tenant, sessionId: id })
    await store.roundPage({ tenant: actor.tenant, sessionId: id })
    await store.pendingInputs(id)
    for (let seq = 0; seq <= head + 1; seq++) await store.roundAt(id, seq)
    for (const round of rounds) {
      await store.round(round)
      for (const other of all) await store.roundIn(other.id, round)
    }
    for (const approval of approvals) await store.approval(approval)
    for (const call of calls) await store.unknownCall(call)
  }
}

/** Every list, page by page. */
async function compareLists(store: Store): Promise<void> {
  const dates = await store.roundPage({ tenant: 'local', limit: 5 })
  const since = dates.items.at(-1)?.startedAt ?? 0
  for (const { tenant, id: owner } of PEOPLE) {
    const hers = { tenant, owner }
    for (const archived of [undefined, true, false])
      await pages((more) => store.sessions({ ...hers, ...more, ...(archived !== undefined && { archived }), limit: 7 }))
    for (const search of WORDS) await pages((more) => store.sessions({ ...hers, ...more, search, limit: 3 }))
    for (const whose of [hers, { tenant }]) {
      await pages((more) => store.roundPage({ ...whose, ...more, limit: 9 }))
      await pages((more) => store.roundPage({ ...whose, ...more, states: ['running', 'paused'], limit: 2 }))
      await store.roundPage({ ...whose, states: ['queued', 'ended'], finishReason: 'error', since })
      await store.roundPage({ ...whose, states: ['queued'] })
      for (const model of MODELS) await store.roundPage({ ...whose, model })
      await store.roundPage({ ...whose, protocol: 'triggered' })
      await store.usage(whose)
      await store.usage({ ...whose, since })
      await store.usage({ ...whose, until: since })
    }
    for (const status of [undefined, 'pending', 'approved', 'denied', 'expired', 'stale'] as const)
      await pages((more) => store.approvals({ ...hers, ...more, ...(status && { status }), limit: 4 }))
    await pages((more) => store.unknownCalls({ ...hers, ...more, limit: 4 }))
  }
  await store.dueRounds(500)
  await store.unfinished()
}

async function pages<T>(ask: (more: { cursor?: string }) => Promise<Page<T>>): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null;)
    cursor = (await ask(cursor === undefined ? {} : { cursor })).next
}
