import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Watched } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, said, started, talk } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

type Heard = [sessionId: string, events: readonly StoredEvent[]]

export function followingSuite(it: Subject): void {
  describe('what somebody else stores', () => {
    /** What is told of a session, each with how much of its log could be read then. */
    function watch(sessionId: string) {
      const told: (Watched & { readable: Promise<number> })[] = []
      const readable = () => it.store.read(sessionId).then(({ length }) => length)
      const stop = it.store.watch(sessionId, (now) => told.push({ ...now, readable: readable() }))
      const head = (seq: number) => expect.poll(() => told.at(-1)?.head, { timeout: 5000 }).toBe(seq)
      return { told, stop, head }
    }

    test('is told to who watches its session, in order, when it can be read, with the name of its owner', async () => {
      const theirs = await SessionWriter.create(await it.second())
      const { told, head } = watch(theirs.id)
      await head(1)
      await theirs.write(...talk(2))
      await head(3)
      for (let i = 0; i < 5; i++) await theirs.write(said())
      await head(8)
      for (const { head: seq, owner, readable } of told) {
        expect(owner).toBe('second')
        expect(await readable).toBeGreaterThanOrEqual(seq)
      }
      const heads = told.map(({ head: seq }) => seq)
      expect(heads).toEqual([...new Set(heads)].toSorted((a, b) => a - b))
    })

    test('is not what one stored oneself, nor what was stored in another session', async () => {
      const other = await it.second()
      const [mine, theirs] = [await SessionWriter.create(it.store), await SessionWriter.create(other)]
      const [own, foreign] = [watch(mine.id), watch(theirs.id)]
      await mine.write(said())
      await theirs.write(said())
      await foreign.head(2)
      expect(own.told).toEqual([])
    })

    test('is told of a session that was owned here before', async () => {
      const mine = await SessionWriter.create(it.store)
      const { told, head } = watch(mine.id)
      await it.endTime()
      const theirs = await SessionWriter.claim(await it.second(), mine.id)
      await theirs.write(said())
      await head(2)
      expect(told.at(-1)?.owner).toBe('second')
    })

    test('is not told any more to who stopped, and is told to all others, also when one of them throws', async () => {
      const theirs = await SessionWriter.create(await it.second())
      it.store.watch(theirs.id, () => {
        throw new Error('a listener that throws')
      })
      const [one, other] = [watch(theirs.id), watch(theirs.id)]
      await Promise.all([one.head(1), other.head(1)])
      one.stop()
      await theirs.write(said())
      await other.head(2)
      expect(one.told.at(-1)?.head).toBe(1)
    })

    test('is told of one that is deleted', async () => {
      const theirs = await SessionWriter.create(await it.second())
      const { told, head } = watch(theirs.id)
      await head(1)
      await theirs.removeAndPurge()
      await expect.poll(() => told.at(-1)?.head, { timeout: 5000 }).toBeGreaterThan(1)
    })
  })

  describe('a listener', () => {
    function listen(): { heard: Heard[]; stop: () => void } {
      const heard: Heard[] = []
      return { heard, stop: it.store.subscribe((sessionId, events) => heard.push([sessionId, events])) }
    }

    test('hears what was stored, as it is read, in order', async () => {
      const { heard } = listen()
      const writer = await SessionWriter.create(it.store)
      for (const size of [2, 1, 3]) await writer.write(...talk(size))
      expect(heard.flatMap(([, events]) => events)).toEqual(await writer.read())
    })

    test('hears of many sessions at once, each in order', async () => {
      const { heard } = listen()
      const writers = await Promise.all(Array.from({ length: 6 }, () => SessionWriter.create(it.store)))
      for (let i = 0; i < 4; i++) await Promise.all(writers.map((writer) => writer.write(...talk(2))))
      for (const writer of writers) {
        expect(heard.flatMap(([id, events]) => (id === writer.id ? events : []))).toEqual(await writer.read())
      }
    })

    verifies('REL-1', 'hears of nothing that cannot be read yet', async () => {
      const readable: Promise<boolean>[] = []
      it.store.subscribe((sessionId, events) => {
        const last = events.at(-1)?.seq ?? 0
        readable.push(it.store.read(sessionId, { after: last - 1, upTo: last }).then((found) => found.length === 1))
      })
      const writers = await Promise.all(Array.from({ length: 4 }, () => SessionWriter.create(it.store)))
      await Promise.all(writers.map((writer) => writer.write(...talk(3))))
      expect(await Promise.all(readable)).toEqual(Array<boolean>(8).fill(true))
    })

    test('has heard of a commit when it is answered', async () => {
      const { heard } = listen()
      const writer = await SessionWriter.create(it.store)
      const stored = await writer.write(said())
      expect(heard.at(-1)).toEqual([writer.id, stored])
    })

    test('hears only of the fork what the fork stores', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const { heard } = listen()
      const fork = await parent.fork(3)
      expect(heard.map(([id, events]) => [id, events.map((event) => event.seq)])).toEqual([[fork.id, [4]]])
    })

    test('hears nothing of a change that was refused, repeated or failed', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([started('r')], { claim: claimOf('once') })
      const { heard } = listen()
      await it.store.commit(writer.change([said()], { expected: 1 }))
      await it.store.commit(writer.change([said()], { claim: claimOf('once') }))
      await it.store.commit(writer.change([started('r')])).catch(() => 'expected')
      expect(heard).toEqual([])
    })

    test('hears once of a change that shared its moment with one that failed', async () => {
      const [good, bad] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      await good.write(started('r'))
      const { heard } = listen()
      await Promise.allSettled([good.write(said()), it.store.commit(bad.change([started('r')]))])
      expect(heard.map(([id]) => id)).toEqual([good.id])
    })

    test('hears nothing after it stopped', async () => {
      const { heard, stop } = listen()
      const writer = await SessionWriter.create(it.store)
      stop()
      await writer.write(said())
      expect(heard).toHaveLength(1)
    })

    test('hears the same as another', async () => {
      const [one, other] = [listen(), listen()]
      await (await SessionWriter.create(it.store)).write(...talk(2))
      expect(one.heard).toEqual(other.heard)
    })

    test('that throws does not make a stored change look failed', async () => {
      const writer = await SessionWriter.create(it.store)
      it.store.subscribe(() => {
        throw new Error('a listener that throws')
      })
      const [next] = await writer.write(said())
      expect(next?.seq).toBe(2)
    })

    test('that throws does not keep others from hearing', async () => {
      const writer = await SessionWriter.create(it.store)
      it.store.subscribe(() => {
        throw new Error('a listener that throws')
      })
      const { heard } = listen()
      await writer.write(said())
      expect(heard).toHaveLength(1)
    })
  })
}
