import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EffectClass } from '../../src/contract/outcome.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import { EFFECTS } from '../crash/effect-tools.ts'
import { messageOf, type Episode } from '../crash/plan.ts'
import { setClusterStage, type Member, type Stage } from '../cluster/stage.ts'
import { ask, newSession } from '../server/support/ask.ts'
import { said } from '../support/segno-under-test.ts'
import { testServer } from '../support/postgres/fresh-database.ts'
import { verifies } from '../support/verifies.ts'

const FASTER = 5
const POLL = { timeout: 30_000, interval: 20 }
const WHEN = ['before', 'after'] as const

const episodes = [...WHEN, 'drain', 'stop'].flatMap((when) =>
  EFFECTS.map((effect): Episode => ({ id: `${when}-${effect}`, protocol: 'unified', effect, calls: 1 })),
)
const nameOf = (when: string, effect: EffectClass): Episode =>
  episodes.find(({ id }) => id === `${when}-${effect}`) as Episode

let stage: Stage
let stopping: Stage
const server = () => ({ url: testServer(), port: Number(new URL(testServer()).port) })

beforeAll(async () => {
  ;[stage, stopping] = await Promise.all([
    setClusterStage({ server: server(), nodes: 2, faster: FASTER, episodes, drainMs: 50 }),
    setClusterStage({ server: server(), nodes: 2, faster: FASTER, episodes, stopsAtStart: true }),
  ])
}, 120_000)
afterAll(async () => {
  await Promise.all([stage?.close(), stopping?.close()])
})

/** Says something to a node, which then owns the conversation. */
async function begin({ url }: Member, episode: Episode): Promise<string> {
  const id = await newSession(url)
  const { status } = await ask(url, 'POST', `/api/sessions/${id}/messages`, { content: messageOf(episode) })
  expect(status).toBe(202)
  return id
}

/** The log of a session once its round has ended. */
async function ended({ store }: Stage, id: string): Promise<StoredEvent[]> {
  const log = () => store.read(id)
  await expect.poll(async () => (await log()).at(-1)?.type, POLL).toBe('round.ended')
  return log()
}

/** Calls wait before or after their effect, once so many of them are there, until they are let go. */
function holdCalls({ ledger, home }: Stage, where: 'ready' | 'delivery', most: number) {
  const there = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let left = most
  ledger.listen(home, async (what) => {
    if (what !== where) return
    left -= 1
    if (left === 0) there.resolve()
    await gate.promise
  })
  return { there: there.promise, letGo: gate.resolve }
}

const logsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => stage.store.read(id)))

const started = (log: readonly StoredEvent[]): boolean => said(log, 'tool.started').length > 0

/** What becomes of a call whose node was killed, by its class: its outcome, how often it was delivered, how often it happened. */
const KILLED: Record<
  (typeof WHEN)[number],
  Record<EffectClass, [outcome: string, deliveries: number, times: number]>
> = {
  before: { pure: ['ok', 1, 1], keyed: ['ok', 1, 1], verifiable: ['unknown', 0, 0], unsafe: ['unknown', 0, 0] },
  after: { pure: ['ok', 2, 2], keyed: ['ok', 2, 1], verifiable: ['ok', 1, 1], unsafe: ['unknown', 1, 1] },
}

for (const when of WHEN) {
  verifies(['REL-2', 'REL-7'], `a node is killed ${when} the effects of its calls`, async () => {
    const [victim] = stage.members as [Member]
    const calls = holdCalls(stage, when === 'before' ? 'ready' : 'delivery', EFFECTS.length)
    const ids = await Promise.all(EFFECTS.map((effect) => begin(victim, nameOf(when, effect))))
    await calls.there
    await expect.poll(async () => (await logsOf(ids)).every(started), POLL).toBe(true)
    victim.process.signal('SIGKILL')
    calls.letGo()
    const [logs] = await Promise.all([Promise.all(ids.map((id) => ended(stage, id))), victim.start()])
    for (const [at, effect] of EFFECTS.entries()) {
      const log = logs[at] as StoredEvent[]
      const delivered = stage.ledger.of(stage.home).filter(({ sessionId }) => sessionId === ids[at])
      const happened = delivered.filter((one) => one.happened)
      const outcome = said(log, 'tool.result')[0]?.outcome
      expect([effect, outcome, delivered.length, happened.length]).toEqual([effect, ...KILLED[when][effect]])
      expect(said(log, 'round.resumed')).toMatchObject([{ reason: 'takeover', evicted: true }])
      expect(delivered.every((one) => one.startStored || effect === 'pure')).toBe(true)
    }
  })
}

verifies(['REL-3', 'REL-7'], 'a node that stood still past its lease stores nothing and starts nothing', async () => {
  const [victim, other] = stopping.members as [Member, Member]
  const id = await begin(victim, nameOf('stop', 'verifiable'))
  const log = await ended(stopping, id)
  expect(said(log, 'tool.result')).toMatchObject([{ outcome: 'unknown' }])
  victim.process.signal('SIGCONT')
  // It finds out that its time was over, and is a node again under another id.
  await expect.poll(() => victim.process.err(), POLL).toContain('lease_regained')
  expect((await ask(other.url, 'POST', `/api/sessions/${id}/messages`, { content: 'still there?' })).status).toBe(202)
  const after = await ended(stopping, id)
  expect(after.slice(0, log.length)).toEqual(log)
  expect(said(after, 'round.resumed')).toHaveLength(1)
  expect(stopping.ledger.of(stopping.home)).toEqual([])
})

verifies(
  ['COO-10', 'REL-7'],
  'what a node that is stopped leaves is taken over at once, and nothing is in doubt',
  async () => {
    const [, victim] = stage.members as [Member, Member]
    const calls = holdCalls(stage, 'ready', 1)
    const id = await begin(victim, nameOf('drain', 'verifiable'))
    await calls.there
    victim.process.signal('SIGTERM')
    expect(await victim.process.exited).toMatchObject({ code: 0 })
    calls.letGo()
    const log = await ended(stage, id)
    expect(said(log, 'round.resumed')).toEqual([{ n: 1, turn: 2, reason: 'takeover' }])
    expect(said(log, 'tool.result')).toMatchObject([{ outcome: 'ok' }])
    expect(stage.ledger.of(stage.home).filter(({ sessionId }) => sessionId === id)).toHaveLength(1)
    await victim.start()
  },
)

test('the nodes said nothing that a log should not hold', () => {
  for (const { process } of [...stage.members, ...stopping.members])
    expect(process.err()).not.toMatch(/at file:|Error:/)
})
