import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, said, started, talk } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

type Heard = [sessionId: string, events: readonly StoredEvent[]]

export function followingSuite(it: Subject): void {
  describe('what somebody else stores', () => {
    test('is told by its session, once for each commit and when it can be read, and is not what one stored oneself', async () => {
      const other = it.second()
      const [own, elsewhere]: [string[], [string, Promise<number>][]] = [[], []]
      const stop = [
        it.store.subscribe((sessionId) => own.push(sessionId)),
        it.store.subscribeElsewhere((id) => elsewhere.push([id, it.store.read(id).then(({ length }) => length)])),
      ]
      const theirs = await Pen.create(other)
      await theirs.write(...talk(2))
      const mine = await Pen.create(it.store)
      expect(own).toEqual([mine.id])
      expect(await Promise.all(elsewhere.map(async ([id, length]) => [id, await length]))).toEqual([
        [theirs.id, 1],
        [theirs.id, 3],
      ])
      for (const end of stop) end()
      await theirs.write(said())
      expect(elsewhere).toHaveLength(2)
    })

    test('is told to all, also when one of them throws', async () => {
      const other = it.second()
      const heard: string[] = []
      it.store.subscribeElsewhere(() => {
        throw new Error('a listener that throws')
      })
      it.store.subscribeElsewhere((id) => heard.push(id))
      const theirs = await Pen.create(other)
      expect(heard).toEqual([theirs.id])
    })
  })

  describe('a listener', () => {
    function listen(): { heard: Heard[]; stop: () => void } {
      const heard: Heard[] = []
      return { heard, stop: it.store.subscribe((sessionId, events) => heard.push([sessionId, events])) }
    }

    test('hears what was stored, as it is read, in order', async () => {
      const { heard } = listen()
      const pen = await Pen.create(it.store)
      for (const size of [2, 1, 3]) await pen.write(...talk(size))
      expect(heard.flatMap(([, events]) => events)).toEqual(await pen.read())
    })

    test('hears of many sessions at once, each in order', async () => {
      const { heard } = listen()
      const pens = await Promise.all(Array.from({ length: 6 }, () => Pen.create(it.store)))
      for (let i = 0; i < 4; i++) await Promise.all(pens.map((pen) => pen.write(...talk(2))))
      for (const pen of pens) {
        expect(heard.flatMap(([id, events]) => (id === pen.id ? events : []))).toEqual(await pen.read())
      }
    })

    verifies('REL-1', 'hears of nothing that cannot be read yet', async () => {
      const readable: Promise<boolean>[] = []
      it.store.subscribe((sessionId, events) => {
        const last = events.at(-1)?.seq ?? 0
        readable.push(it.store.read(sessionId, { after: last - 1, upTo: last }).then((found) => found.length === 1))
      })
      const pens = await Promise.all(Array.from({ length: 4 }, () => Pen.create(it.store)))
      await Promise.all(pens.map((pen) => pen.write(...talk(3))))
      expect(await Promise.all(readable)).toEqual(Array<boolean>(8).fill(true))
    })

    test('has heard of a commit when it is answered', async () => {
      const { heard } = listen()
      const pen = await Pen.create(it.store)
      const stored = await pen.write(said())
      expect(heard.at(-1)).toEqual([pen.id, stored])
    })

    test('hears only of the fork what the fork stores', async () => {
      const parent = await Pen.create(it.store)
      await parent.write(...talk(3))
      const { heard } = listen()
      const fork = await parent.fork(3)
      expect(heard.map(([id, events]) => [id, events.map((event) => event.seq)])).toEqual([[fork.id, [4]]])
    })

    test('hears nothing of a change that was refused, repeated or failed', async () => {
      const pen = await Pen.create(it.store)
      await pen.commit([started('r')], { claim: claimOf('once') })
      const { heard } = listen()
      await it.store.commit(pen.change([said()], { expected: 1 }))
      await it.store.commit(pen.change([said()], { claim: claimOf('once') }))
      await it.store.commit(pen.change([started('r')])).catch(() => 'expected')
      expect(heard).toEqual([])
    })

    test('hears once of a change that shared its moment with one that failed', async () => {
      const [good, bad] = [await Pen.create(it.store), await Pen.create(it.store)]
      await good.write(started('r'))
      const { heard } = listen()
      await Promise.allSettled([good.write(said()), it.store.commit(bad.change([started('r')]))])
      expect(heard.map(([id]) => id)).toEqual([good.id])
    })

    test('hears nothing after it stopped', async () => {
      const { heard, stop } = listen()
      const pen = await Pen.create(it.store)
      stop()
      await pen.write(said())
      expect(heard).toHaveLength(1)
    })

    test('hears the same as another', async () => {
      const [one, other] = [listen(), listen()]
      await (await Pen.create(it.store)).write(...talk(2))
      expect(one.heard).toEqual(other.heard)
    })

    test('that throws does not make a stored change look failed', async () => {
      const pen = await Pen.create(it.store)
      it.store.subscribe(() => {
        throw new Error('a listener that throws')
      })
      const [next] = await pen.write(said())
      expect(next?.seq).toBe(2)
    })

    test('that throws does not keep others from hearing', async () => {
      const pen = await Pen.create(it.store)
      it.store.subscribe(() => {
        throw new Error('a listener that throws')
      })
      const { heard } = listen()
      await pen.write(said())
      expect(heard).toHaveLength(1)
    })
  })
}
