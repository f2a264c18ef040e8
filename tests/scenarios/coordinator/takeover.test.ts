import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Limits } from '../../../src/config/index.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { NewEvent } from '../../../src/contract/event.ts'
import type { Segno } from '../../../src/segno.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'

/** Rounds whose model calls `hold` with the words they were sent; the call ends when a test lets it. */
function stage() {
  const home = mkdtempSync(join(tmpdir(), 'segno-takeover-'))
  let segno: Segno | undefined
  onTestFinished(async () => {
    await segno?.close()
    rmSync(home, { recursive: true, force: true })
  })
  const free = new Set<string>()
  const running: string[] = []
  /** what the processes stored, commit by commit */
  let commits: { readonly session: string; readonly events: readonly NewEvent[] }[] = []

  const hold = (name: string, effect: 'pure' | 'unsafe') =>
    probe(name, {
      effect,
      async run({ who }, { signal, ask }) {
        const whose = text(who)
        running.push(whose)
        if (whose.startsWith('asking')) void ask({ message: 'Shall I?' })
        while (!free.has(whose) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 2))
        return `${whose} done`
      },
    })
  const calls = (name: string, who: string) => ({ calls: [{ name, args: { who } }] })
  const scenarios = ['a', 'b', 'c', 'asking'].map((who) => ({
    when: `^${who}$`,
    turns: [calls(who === 'asking' ? 'push' : 'hold', who), calls('hold', `${who} again`), { text: `${who} is done` }],
  }))

  async function life(limits: Partial<Limits> = {}): Promise<Segno> {
    await segno?.close()
    running.length = 0
    commits = []
    segno = await composeUnderTest(
      {
        home,
        env: {},
        durability: 'normal',
        builtInTools: false,
        model: { scenarios },
        tools: [hold('hold', 'pure'), hold('push', 'unsafe')],
        limits: { DRAIN_MS: 0, ...limits },
      },
      {
        store: (open) => {
          const store = open()
          const commit: typeof store.commit = async (change) => {
            const result = await store.commit(change)
            if (result.kind === 'committed') commits.push({ session: change.sessionId, events: change.events })
            return result
          }
          return { ...store, commit }
        },
      },
    )
    return segno
  }

  return {
    life,
    free,
    running,
    /** the types of the events of the commits of one session in this life */
    stored: (session: string): string[][] =>
      commits.filter((one) => one.session === session).map(({ events }) => events.map(({ type }) => type)),
    order: () => commits.map(({ session }) => session),
    /** A round that has come to its call, in the log too. */
    async send(content: string) {
      const { id } = await (segno as Segno).createSession()
      const { requestId } = await (segno as Segno).rounds.send(LOCAL_OWNER, id, content)
      const last = content === 'asking' ? 'approval.requested' : 'tool.started'
      const isStarted = ({ session, events }: (typeof commits)[number]): boolean =>
        session === id && events.some(({ type }) => type === last)
      await eventually(() => commits.some(isStarted) && running.includes(content))
      return { id, requestId }
    },
    takeovers: async (session: string): Promise<number[]> =>
      (await (segno as Segno).sessions.events(LOCAL_OWNER, session)).flatMap((event) =>
        event.type === 'round.resumed' ? [event.data.n] : [],
      ),
  }
}

verifies(
  'REL-4',
  'a round is taken over when it gets its slot, so that starts in which it never ran do not count',
  async () => {
    const it = stage()
    await it.life({ MAX_ROUNDS: 2 })
    const a = await it.send('a')
    const b = await it.send('b')
    for (let times = 1; times <= 3; times += 1) {
      await it.life({ MAX_ROUNDS: 1 })
      await eventually(() => it.running.length === 1)
      expect(it.running).toEqual(['a'])
    }
    expect(await it.takeovers(a.id)).toEqual([1, 2, 3])
    expect(await it.takeovers(b.id)).toEqual([])
    // The one that ran each time is given up, the other one has not been tried once.
    it.free.add('b').add('b again')
    const segno = await it.life({ MAX_ROUNDS: 1 })
    expect(await segno.completion(a.id, a.requestId)).toMatchObject({ finishReason: 'error' })
    expect(await segno.completion(b.id, b.requestId)).toMatchObject({ finishReason: 'complete' })
    expect(await it.takeovers(b.id)).toEqual([1])
  },
)

verifies('REL-4', 'a round that was running gets its slot before messages that wait', async () => {
  const it = stage()
  const segno = await it.life({ MAX_ROUNDS: 1 })
  const { id: older } = await segno.createSession()
  const b = await it.send('b')
  const { requestId, state } = await segno.rounds.send(LOCAL_OWNER, older, 'hello')
  expect(state).toBe('queued')
  const next = await it.life({ MAX_ROUNDS: 1 })
  await eventually(() => it.running.length === 1)
  expect(it.order()[0]).toBe(b.id)
  expect(it.stored(older)).toEqual([])
  it.free.add('b').add('b again')
  expect(await next.completion(older, requestId)).toMatchObject({ finishReason: 'complete' })
  expect(it.order().indexOf(older)).toBeGreaterThan(it.order().lastIndexOf(b.id))
})

verifies(
  ['REL-4', 'GOV-7'],
  'a takeover is one commit: that it happens, what came from outside, what nobody waits for, what is unknown',
  async () => {
    const it = stage()
    await it.life({ MAX_ROUNDS: 2 })
    const a = await it.send('a')
    const { id, requestId } = await it.send('asking')
    const segno = await it.life({ MAX_ROUNDS: 1 })
    await segno.rounds.pause(LOCAL_OWNER, requestId)
    await segno.sessions.change(LOCAL_OWNER, id, { title: 'another' })
    expect(it.stored(id)).toEqual([])
    await segno.rounds.cancel(LOCAL_OWNER, a.id, a.requestId)
    expect(await segno.completion(a.id, a.requestId)).toMatchObject({ finishReason: 'cancelled' })
    await eventually(() => it.stored(id).length > 0)
    expect(it.stored(id)[0]).toEqual([
      'round.resumed',
      'round.asked',
      'session.changed',
      'approval.decided',
      'tool.result',
    ])
    const { state } = await segno.rounds.get(LOCAL_OWNER, requestId)
    expect(['running', 'paused']).toContain(state)
    // Nobody drove it until then.
    const events = await segno.sessions.events(LOCAL_OWNER, id)
    const resumed = events.findIndex(({ type }) => type === 'round.resumed')
    expect(events[resumed]?.ms).toBe(0)
  },
)

verifies('REL-4', 'a round that nobody goes on with yet can be ended all the same', async () => {
  const it = stage()
  await it.life({ MAX_ROUNDS: 4 })
  const a = await it.send('a')
  const others = [await it.send('asking'), await it.send('b'), await it.send('c')]
  const [asking, b, c] = others as [typeof a, typeof a, typeof a]
  const segno = await it.life({ MAX_ROUNDS: 1 })
  await eventually(() => it.running.length === 1)
  await segno.rounds.cancel(LOCAL_OWNER, asking.id, asking.requestId)
  expect(await segno.completion(asking.id, asking.requestId)).toMatchObject({ finishReason: 'cancelled' })
  expect(it.stored(asking.id)).toEqual([
    ['round.asked', 'approval.decided', 'tool.result', 'message.assistant', 'round.ended'],
  ])
  await segno.rounds.send(LOCAL_OWNER, b.id, 'a', { onBusy: 'interrupt' })
  expect(await segno.completion(b.id, b.requestId)).toMatchObject({ finishReason: 'cancelled' })
  await segno.sessions.delete(LOCAL_OWNER, c.id)
  await eventually(async () => (await segno.sessions.list(LOCAL_OWNER)).items.every(({ id }) => id !== c.id))
  expect(it.running).toEqual(['a'])
})

verifies(
  ['REL-1', 'REL-4'],
  'a decision made before the end of such a round was asked for is kept as it was made',
  async () => {
    const it = stage()
    await it.life({ MAX_ROUNDS: 2 })
    await it.send('a')
    const { id, requestId } = await it.send('asking')
    const segno = await it.life({ MAX_ROUNDS: 1 })
    await eventually(() => it.running.length === 1)
    const [approval] = await segno.rounds.approvals(LOCAL_OWNER, 'pending')
    await segno.rounds.decide(LOCAL_OWNER, approval?.id ?? '', { decision: 'approve' })
    expect(it.stored(id)).toEqual([])
    await segno.rounds.cancel(LOCAL_OWNER, id, requestId)
    expect(await segno.completion(id, requestId)).toMatchObject({ finishReason: 'cancelled' })
    const events = await segno.sessions.events(LOCAL_OWNER, id)
    expect(events.flatMap((one) => (one.type === 'approval.decided' ? [one.data.decision] : []))).toEqual(['approve'])
  },
)

verifies('REL-4', 'rounds taken over twice without progress go on one after the other', async () => {
  const it = stage()
  await it.life()
  const [a, b, c] = [await it.send('a'), await it.send('b'), await it.send('c')]
  for (let times = 1; times <= 2; times += 1) {
    await it.life()
    await eventually(() => it.running.length === 3)
  }
  // It is the first of them that kills the process now.
  await it.life()
  await eventually(() => it.running.length === 1)
  expect(await Promise.all([a, b, c].map(({ id }) => it.takeovers(id)))).toEqual([
    [1, 2, 3],
    [1, 2],
    [1, 2],
  ])
  // Now it is given up, and each of the others waits until the one before has moved on.
  const segno = await it.life()
  expect(await segno.completion(a.id, a.requestId)).toMatchObject({ finishReason: 'error' })
  await eventually(() => it.running.length === 1)
  expect(it.running).toEqual(['b'])
  // A message that waits for no slot is not held up by that.
  const { requestId, sessionId } = await segno.rounds.send(LOCAL_OWNER, (await segno.createSession()).id, 'hello')
  expect(await segno.completion(sessionId, requestId)).toMatchObject({ finishReason: 'complete' })
  it.free.add('b')
  await eventually(() => it.running.length === 3)
  expect(it.running.toSorted()).toEqual(['b', 'b again', 'c'])
  it.free.add('b again').add('c').add('c again')
  for (const { id, requestId } of [b, c])
    expect(await segno.completion(id, requestId)).toMatchObject({ finishReason: 'complete' })
})
