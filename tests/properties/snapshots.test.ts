import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredEvent } from '../../src/contract/event.ts'
import { evolve, emptySession, fold, SNAPSHOT_VERSION, snapshotOf } from '../../src/session/index.ts'
import type { LogStore, Snapshot } from '../../src/store/index.ts'
import { difference } from './invariants/snapshots.ts'
import { oldLogs } from './old-logs.ts'
import { verifies } from '../support/verifies.ts'
import { givenLog, modelSays, roundEnded, roundStarted, text, userSays } from '../support/given-log.ts'
import { readState } from '../../src/round/read-state.ts'

const limits = { messages: 6, tokens: 10_000 }

/** All the snapshots a log can have. */
function snapshotsOf(log: readonly StoredEvent[]): Snapshot[] {
  const state = emptySession()
  return log.flatMap((event) => {
    evolve(state, event)
    return state.round ? [] : [{ seq: event.seq, version: SNAPSHOT_VERSION, body: snapshotOf(state) }]
  })
}

/** A store that counts the events it is asked for. */
function counting(log: readonly StoredEvent[], snapshots: readonly Snapshot[]) {
  const count = { read: 0 }
  const read = (after: number, upTo: number): StoredEvent[] => {
    const events = log.slice(after, upTo)
    count.read += events.length
    return events
  }
  const store: Partial<LogStore> = {
    snapshot: async (_, version, upTo = Infinity) =>
      snapshots.findLast((one) => one.version === version && one.seq <= upTo),
    readSlice: async (_, after, { limit }) => ({
      events: read(after, after + limit),
      isLast: after + limit >= log.length,
    }),
    read: async (_, { after = 0, upTo = Infinity } = {}) => read(after, upTo),
  }
  return { store: store as LogStore, count }
}

verifies(
  'REL-9',
  'a session read with any of its snapshots is what all of its log says, and shows the same',
  async () => {
    const runs = fc.asyncProperty(
      oldLogs,
      fc.array(fc.nat(1000), { maxLength: 3 }),
      fc.nat(1000),
      fc.integer({ min: 1, max: 12 }),
      async (log, kept, end, messages) => {
        const all = snapshotsOf(log)
        const snapshots = all.filter((_, at) => kept.some((pick) => pick % all.length === at))
        const upTo = 1 + (end % log.length)
        const shown = { messages, tokens: 100 }
        const { state, snapshotAt } = await readState(counting(log, snapshots).store, 's', shown, upTo)
        expect(snapshotAt).toBe(snapshots.findLast(({ seq }) => seq <= upTo)?.seq ?? 0)
        expect(difference(state, log.slice(0, upTo), shown)).toBeUndefined()
      },
    )
    await fc.assert(runs, { numRuns: 2000 })
  },
)

const talk = (rounds: number): StoredEvent[] =>
  givenLog(
    ...Array.from({ length: rounds }, (_, at) => [
      roundStarted({ id: `r${at}` }),
      userSays(`question ${at}`),
      modelSays(1, [text(`answer ${at}`)]),
      roundEnded(),
    ]).flat(),
  )

verifies('REL-9', 'reading a session of 100,000 events takes no more of them than reading one of 1,000', async () => {
  const reads = []
  for (const length of [1_000, 100_000]) {
    const log = talk(length / 4)
    const { store, count } = counting(log, snapshotsOf(log.slice(0, length - 100)).slice(-1))
    const { state } = await readState(store, 's', limits)
    expect(state.seq).toBe(length)
    reads.push(count.read)
  }
  expect(reads[1]).toBe(reads[0])
  expect(reads[1]).toBeLessThan(300)
})

test('only what a prompt can show is kept in memory, with a snapshot and without one', async () => {
  const log = talk(1000)
  for (const messages of [6, 300])
    for (const snapshots of [[], snapshotsOf(log).slice(-100, -99), snapshotsOf(log).slice(-1)]) {
      const { state } = await readState(counting(log, snapshots).store, 's', { messages, tokens: 10_000 })
      const last = Array.from({ length: messages / 2 + 1 }, (_, at) => 3998 - 4 * at).reverse()
      expect(state.history.exchanges.map(({ seq }) => seq)).toEqual(last)
    }
})

test('a snapshot that is damaged, or of another version, is passed by', async () => {
  const log = talk(10)
  const [first, second] = snapshotsOf(log)
  if (!first || !second) throw new Error('there are no snapshots')
  const damaged = [
    { ...second, body: '{' },
    { ...second, body: '"text"' },
    { ...second, body: second.body.replace('"title"', '"tilte"') },
    { ...second, body: first.body },
    { ...second, version: SNAPSHOT_VERSION + 1 },
  ]
  for (const one of damaged) {
    const { state, snapshotAt } = await readState(counting(log, [first, one]).store, 's', limits)
    expect(snapshotAt).toBe(first.seq)
    expect(snapshotOf(state)).toBe(snapshotOf(fold(log)))
  }
})

test('a session that is not there is an empty one', async () => {
  expect(await readState(counting([], []).store, 'nobody', limits)).toEqual({ state: emptySession(), snapshotAt: 0 })
})
