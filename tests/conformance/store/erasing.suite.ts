import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Blob } from '../../../src/store/index.ts'
import {
  asked,
  attached,
  blob,
  blobText,
  claimOf,
  created,
  fact,
  fileOf,
  HERS,
  OWNER,
  input,
  result,
  said,
  started,
  talk,
  unknown,
  waits,
} from './facts.ts'
import { nameless, SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function erasingSuite(it: Subject): void {
  describe('a deleted session', () => {
    async function gone(): Promise<{ writer: SessionWriter; requestId: string }> {
      const writer = await SessionWriter.create(it.store, { alias: 'nick' })
      const requestId = newId()
      await writer.write(
        started(requestId),
        asked(requestId, 'approval'),
        unknown(requestId, 'call'),
        waits(requestId, 5),
      )
      const waiting = input(writer.id)
      await it.store.putInput(waiting, { claim: claimOf(waiting.key) })
      await writer.remove()
      return { writer, requestId }
    }

    const questions: [what: string, ask: (id: string, requestId: string) => Promise<unknown>, answer: unknown][] = [
      ['is not found', (id) => it.store.session(id), undefined],
      ['is not found by its alias', () => it.store.sessionByAlias(OWNER, 'nick'), undefined],
      ['is not listed', () => it.store.sessions(HERS), { items: [], next: null }],
      ['cannot be claimed', (id) => it.store.claim(id), undefined],
      ['has no events', (id) => it.store.read(id), []],
      ['has no inputs', (id) => it.store.pendingInputs(id), []],
      ['has no round to find', (_, requestId) => it.store.round(requestId), undefined],
      ['has no round at any event', (id) => it.store.roundAt(id, 3), undefined],
      ['has no rounds', (id) => it.store.rounds(id), []],
      ['adds no round to the list of all', () => it.store.roundPage(HERS), { items: [], next: null }],
      [
        'adds no round to the list of open ones',
        () => it.store.roundPage({ ...HERS, states: ['running'] }),
        { items: [], next: null },
      ],
      ['has no approval to find', () => it.store.approval('approval'), undefined],
      ['has no approvals', () => it.store.approvals({ ...HERS, status: 'pending' }), { items: [], next: null }],
      ['has nothing that expires', () => it.store.dueRounds(Infinity), []],
      ['has no unknown call to find', () => it.store.unknownCall('call'), undefined],
      ['has no unknown calls', () => it.store.unknownCalls(HERS), { items: [], next: null }],
      ['is finished', () => it.store.unfinished(), []],
    ]
    for (const [what, ask, answer] of questions) {
      test(what, async () => {
        const { writer, requestId } = await gone()
        expect(await ask(writer.id, requestId)).toEqual(answer)
      })
    }

    test('takes no more events', async () => {
      const { writer } = await gone()
      expect(await it.store.commit(writer.change([said()]))).toEqual({ kind: 'conflict', reason: 'gone' })
    })

    test('keeps its id from being used again', async () => {
      const { writer } = await gone()
      const answer = await it.store.commit(writer.change([created()], { create: {}, expected: 0 }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'exists' })
    })

    test('keeps its id from being used again after it was purged', async () => {
      const { writer } = await gone()
      await it.store.purge(writer.id)
      const answer = await it.store.commit(writer.change([created()], { create: {}, expected: 0 }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'exists' })
    })

    test('stays deleted after a restart', async () => {
      const { writer } = await gone()
      const store = await it.reopen()
      expect(await store.session(writer.id)).toBeUndefined()
    })

    test('that was a fork has no round where it inherited one', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(started(newId()), said())
      const fork = await parent.fork(3)
      await fork.remove()
      expect(await it.store.roundAt(fork.id, 3)).toBeUndefined()
    })

    test('leaves its neighbours as they were', async () => {
      const neighbour = await SessionWriter.create(it.store)
      await neighbour.write(started(newId()), ...talk(3))
      const before = [await neighbour.read(), await it.store.rounds(neighbour.id)]
      const { writer } = await gone()
      await it.store.purge(writer.id)
      expect([await neighbour.read(), await it.store.rounds(neighbour.id)]).toEqual(before)
    })
  })

  describe('purging', () => {
    test('counts what it erased', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(4))
      await writer.remove()
      expect(await it.store.purge(writer.id)).toEqual({ events: 6, blobs: 0 })
    })

    test('a living session erases nothing', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(4))
      await it.store.purge(writer.id)
      expect(await writer.read()).toHaveLength(5)
    })

    test('a session that never was erases nothing', async () => {
      expect(await it.store.purge(newId())).toEqual({ events: 0, blobs: 0 })
    })

    test('a second time erases nothing more', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.removeAndPurge()
      expect(await it.store.purge(writer.id)).toEqual({ events: 0, blobs: 0 })
    })

    for (const seq of [1, 3, 4, 6, 9]) {
      test(`a parent leaves a fork at ${seq} whole`, async () => {
        const parent = await parentOfNine(it)
        const fork = await parent.fork(seq, ...talk(2))
        const before = await fork.read()
        await parent.removeAndPurge()
        expect(await fork.read()).toEqual(before)
      })

      test(`a parent erases all that a fork at ${seq} does not share`, async () => {
        const parent = await parentOfNine(it)
        await parent.fork(seq)
        expect((await parent.removeAndPurge()).events).toBe(10 - seq)
      })
    }

    test('a parent leaves its fork whole after a restart', async () => {
      const parent = await parentOfNine(it)
      const fork = await parent.fork(5, ...talk(2))
      const before = await fork.read()
      await parent.removeAndPurge()
      expect(await (await it.reopen()).read(fork.id)).toEqual(before)
    })

    test('a parent leaves a fork that can go on', async () => {
      const parent = await parentOfNine(it)
      const fork = await parent.fork(5)
      await parent.removeAndPurge()
      const [next] = await fork.write(said())
      expect(next?.seq).toBe(7)
    })

    test('a parent leaves a fork that can be forked where it was inherited', async () => {
      const parent = await parentOfNine(it)
      const fork = await parent.fork(5)
      const prefix = nameless(await fork.read()).slice(0, 3)
      await parent.removeAndPurge()
      const again = await fork.fork(3)
      expect(nameless(await again.read()).slice(0, 3)).toEqual(prefix)
    })

    test('several ancestors leaves the last of the line whole', async () => {
      const root = await parentOfNine(it)
      const middle = await root.fork(7, ...talk(4))
      const last = await middle.fork(10, said())
      const before = await last.read()
      await root.removeAndPurge()
      await middle.removeAndPurge()
      expect(await last.read()).toEqual(before)
    })

    test('keeps the most that any of several forks shares', async () => {
      const parent = await parentOfNine(it)
      const forks = [await parent.fork(2), await parent.fork(6), await parent.fork(4)]
      const before = await Promise.all(forks.map((fork) => fork.read()))
      await parent.removeAndPurge()
      expect(await Promise.all(forks.map((fork) => fork.read()))).toEqual(before)
    })

    test('erases what only a deleted fork had shared', async () => {
      const root = await parentOfNine(it)
      const middle = await root.fork(8)
      const last = await middle.fork(3)
      await middle.removeAndPurge()
      const { events } = await root.removeAndPurge()
      expect({ events, left: (await last.read()).length }).toEqual({ events: 7, left: 4 })
    })

    test('the fork that shared most erases what it alone had kept of a purged parent', async () => {
      const parent = await parentOfNine(it)
      await parent.fork(2)
      const fork = await parent.fork(6)
      await parent.removeAndPurge()
      expect((await fork.removeAndPurge()).events).toBe(2 + 4)
    })

    test('the last fork erases everything its purged ancestors had kept for it', async () => {
      const root = await parentOfNine(it)
      const middle = await root.fork(7, ...talk(4))
      const last = await middle.fork(10)
      const erased = [await root.removeAndPurge(), await middle.removeAndPurge(), await last.removeAndPurge()]
      const total = 9 + 1 + 5 + 1 + 1 + 1
      expect(erased.reduce((sum, { events }) => sum + events, 0)).toBe(total)
    })

    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      test(`three generations in the order ${order.join(', ')} leaves no blob of any of them`, async () => {
        const blobs = [blob(), blob(), blob()]
        const root = await SessionWriter.create(it.store)
        await root.commit(holding(blobs[0] as Blob), { blobs: [blobs[0] as Blob] })
        const middle = await root.fork(root.head)
        await middle.commit(holding(blobs[1] as Blob), { blobs: [blobs[1] as Blob] })
        const last = await middle.fork(middle.head)
        await last.commit(holding(blobs[2] as Blob), { blobs: [blobs[2] as Blob] })
        const generations = [root, middle, last]
        for (const i of order) await (generations[i] as SessionWriter).removeAndPurge()
        const left = await Promise.all(blobs.map(({ hash }) => it.store.blob(hash)))
        expect(left).toEqual([undefined, undefined, undefined])
      })
    }

    test('leaves a store that checks out', async () => {
      const root = await parentOfNine(it)
      const middle = await root.fork(7, ...talk(4))
      const last = await middle.fork(4)
      await last.write(...talk(2))
      await root.removeAndPurge()
      await middle.removeAndPurge()
      expect((await it.store.check()).findings).toEqual([])
    })
  })

  describe.each(HOLDERS)('a blob that is %s', (_, holding) => {
    const keep = blob('kept output')

    test('is found by its hash as it was stored', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit(holding(keep), { blobs: [keep] })
      expect(await blobText(it.store, keep.hash)).toBe('kept output')
    })

    test('that nobody stored is not found', async () => {
      expect(await it.store.blob(keep.hash)).toBeUndefined()
    })

    test('goes with the session that alone refers to it', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit(holding(keep), { blobs: [keep] })
      expect(await writer.removeAndPurge()).toMatchObject({ blobs: 1 })
      expect(await it.store.blob(keep.hash)).toBeUndefined()
    })

    test('of two sessions stays with the second', async () => {
      const writers = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      for (const writer of writers) await writer.commit(holding(keep), { blobs: [keep] })
      await writers[0]?.removeAndPurge()
      expect(await blobText(it.store, keep.hash)).toBe('kept output')
    })

    test('of two sessions goes with the last of them', async () => {
      const writers = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      for (const writer of writers) await writer.commit(holding(keep), { blobs: [keep] })
      for (const writer of writers) await writer.removeAndPurge()
      expect(await it.store.blob(keep.hash)).toBeUndefined()
    })

    test('that a living fork inherited stays', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.commit(holding(keep), { blobs: [keep] })
      await parent.fork(parent.head)
      await parent.removeAndPurge()
      expect(await blobText(it.store, keep.hash)).toBe('kept output')
    })

    test('that came after the fork goes with the parent', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.fork(1)
      await parent.commit(holding(keep), { blobs: [keep] })
      await parent.removeAndPurge()
      expect(await it.store.blob(keep.hash)).toBeUndefined()
    })

    test('that was erased can be stored again', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit(holding(keep), { blobs: [keep] })
      await writer.removeAndPurge()
      await (await SessionWriter.create(it.store)).commit(holding(keep), { blobs: [keep] })
      expect(await blobText(it.store, keep.hash)).toBe('kept output')
    })
  })
}

/** Nine events in commits of one, four and four. */
async function parentOfNine(it: Subject): Promise<SessionWriter> {
  const writer = await SessionWriter.create(it.store)
  await writer.write(...talk(4))
  await writer.write(...talk(4))
  return writer
}

const holding = ({ hash }: Blob): NewEvent[] => [result(newId(), newId(), { blob: hash })]

/** Every way in which an event can name a blob. */
const HOLDERS: [what: string, holding: (blob: Blob) => NewEvent[]][] = [
  ['the whole output of a result', holding],
  ['a file of a message', (one) => [attached(fileOf(one))]],
  ['a file of a result', (one) => [result(newId(), newId(), { files: [fileOf(one)] })]],
  [
    'what a provider said about a retry',
    (one) => [fact('turn.retried', { ...RETRIED, providerSaid: one.hash }, newId())],
  ],
  [
    'what a provider said at the end of a turn',
    (one) => [fact('turn.ended', { ...ENDED, providerSaid: one.hash }, newId())],
  ],
]
const RETRIED = { turn: 1, attempt: 1, reason: 'overloaded', model: 'm', waitMs: 0, shown: false }
const ENDED = { turn: 1, stopReason: 'error' as const, usage: { input: 0, output: 0 }, durationMs: 1 }
