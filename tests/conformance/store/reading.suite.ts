import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Range, Store } from '../../../src/store/index.ts'
import { talk } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function readingSuite(it: Subject): void {
  describe('reading', () => {
    const logs: [what: string, write: (store: Store) => Promise<SessionWriter>][] = [
      ['one session', (store) => grow(store, [1, 3, 1, 5, 2, 7, 4])],
      ['a fork', async (store) => (await grow(store, [2, 6, 3])).fork(6, ...talk(5))],
      [
        'a fork of a fork',
        async (store) => (await (await grow(store, [4, 5])).fork(8, ...talk(6))).fork(11, ...talk(3)),
      ],
      [
        'a fork of a fork that begins before it',
        async (store) => (await (await grow(store, [4, 5])).fork(8)).fork(3, ...talk(4)),
      ],
    ]
    for (const [what, write] of logs) {
      test(`every range of ${what} gives exactly the events in it`, async () => {
        const writer = await write(it.store)
        const all = (await writer.read()).map((event) => event.seq)
        expect(all).toEqual(Array.from({ length: writer.head }, (_, i) => i + 1))
        for (const range of ranges(writer.head)) {
          const got = (await it.store.read(writer.id, range)).map((event) => event.seq)
          expect(got, JSON.stringify(range)).toEqual(slice(all, range))
        }
      })
    }

    test('a commit of a thousand events is read whole, in pages, and without what a page does not need', async () => {
      const writer = await grow(it.store, [3, 1000, 3])
      const all = await writer.read()
      expect(all.map((event) => event.seq)).toEqual(Array.from({ length: 1007 }, (_, i) => i + 1))
      for (const after of [0, 4, 258, 259, 260, 261, 516, 900, 1003, 1004])
        expect(await it.store.read(writer.id, { after, limit: 7 }), `after ${after}`).toEqual(
          all.slice(after, after + 7),
        )
      const step = await it.store.readSlice(writer.id, 4, { limit: 5000, chars: 1 })
      expect(step).toEqual({ events: all.slice(4, 4 + step.events.length), isLast: false })
      expect(step.events.length).toBeLessThan(300)
    })

    test('beyond the last event gives nothing, however far', async () => {
      const writer = await grow(it.store, [3])
      expect(await it.store.read(writer.id, { after: Number.MAX_SAFE_INTEGER })).toEqual([])
    })

    test('up to a number beyond the last event gives what is there, however far', async () => {
      const writer = await grow(it.store, [3])
      const far = [5, 1e6, 1e9, Number.MAX_SAFE_INTEGER]
      const lengths = await Promise.all(far.map(async (upTo) => (await it.store.read(writer.id, { upTo })).length))
      expect(lengths).toEqual([4, 4, 4, 4])
    })

    test('events have the driving time they were stored with, and none where they had none', async () => {
      const [one, other] = talk(2) as [NewEvent, NewEvent]
      const writer = await grow(it.store, [])
      await writer.write({ ...one, ms: 0 }, { ...other, ms: 1234 }, ...talk(1))
      const [first, ...rest] = await writer.read()
      expect(first && 'ms' in first).toBe(false)
      expect(rest.map((event) => event.ms)).toEqual([0, 1234, undefined])
    })

    test('a session that never was gives nothing', async () => {
      expect(await it.store.read(newId())).toEqual([])
    })

    test('one session gives nothing of its neighbours', async () => {
      const writers = [await grow(it.store, [2]), await grow(it.store, [3]), await grow(it.store, [1])]
      const owners = await Promise.all(
        writers.map(async (writer) => [...new Set((await writer.read()).map((e) => e.sessionId))]),
      )
      expect(owners).toEqual(writers.map((writer) => [writer.id]))
    })
  })
}

/** A session whose events were stored in commits of these sizes, after its first. */
async function grow(store: Store, sizes: readonly number[]): Promise<SessionWriter> {
  const writer = await SessionWriter.create(store)
  for (const size of sizes) await writer.write(...talk(size))
  return writer
}

function ranges(head: number): Range[] {
  const numbers = Array.from({ length: head + 2 }, (_, i) => i)
  const limits = [0, 1, 2, 3, 5, head, head + 1]
  return [
    ...numbers.map((after) => ({ after })),
    ...numbers.map((upTo) => ({ upTo })),
    ...limits.map((limit) => ({ limit })),
    ...numbers.flatMap((after) => numbers.flatMap((upTo) => limits.map((limit) => ({ after, upTo, limit })))),
  ]
}

const slice = (seqs: readonly number[], { after = 0, upTo = Infinity, limit = Infinity }: Range): number[] =>
  seqs.filter((seq) => seq > after && seq <= upTo).filter((_, i) => i < limit)
