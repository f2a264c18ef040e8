import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import type { Ownership } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { said, started, talk } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

export function ownershipSuite(it: Subject): void {
  describe('claiming a session', () => {
    test('raises the epoch every time', async () => {
      const pen = await Pen.create(it.store)
      const epochs = [pen.epoch]
      for (let i = 0; i < 3; i++) epochs.push((await Pen.claim(it.store, pen.id)).epoch)
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b).filter((epoch, i, all) => epoch !== all[i - 1]))
    })

    test('tells the number of the last event', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(...talk(4))
      expect((await Pen.claim(it.store, pen.id)).head).toBe(5)
    })

    test('tells the number of the last event of a fork that has none of its own but the first', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(...talk(4))
      const fork = await pen.fork(3)
      expect((await Pen.claim(it.store, fork.id)).head).toBe(4)
    })

    verifies('REL-3', 'raises the epoch beyond what it was before a restart', async () => {
      const pen = await Pen.create(it.store)
      const before = await Pen.claim(it.store, pen.id)
      const after = await Pen.claim(await it.reopen(), pen.id)
      expect(after.epoch).toBeGreaterThan(before.epoch)
    })

    verifies('REL-3', 'lets the new owner write', async () => {
      const pen = await Pen.create(it.store)
      const owner = await Pen.claim(it.store, pen.id)
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(2)
    })

    verifies('REL-3', 'keeps the former owner fenced after the new one has written', async () => {
      const pen = await Pen.create(it.store)
      const owner = await Pen.claim(it.store, pen.id)
      await owner.write(said())
      const answer = await it.store.commit(pen.change([said()], { expected: owner.head }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    verifies('REL-3', 'keeps the former owner fenced after a restart', async () => {
      const pen = await Pen.create(it.store)
      await it.store.claim(pen.id)
      const store = await it.reopen()
      await store.claim(pen.id)
      expect(await store.commit(pen.change([said()]))).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    test('refuses an epoch that nobody has been given', async () => {
      const pen = await Pen.create(it.store)
      const answer = await it.store.commit(pen.change([said()], { epoch: pen.epoch + 1 }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    verifies('REL-3', 'by several at once leaves one of them able to write', async () => {
      const pen = await Pen.create(it.store)
      const claims = await Promise.all(Array.from({ length: 5 }, () => it.store.claim(pen.id)))
      const answers = []
      for (const claim of claims) {
        const { epoch, head } = claim as Ownership
        answers.push((await it.store.commit(pen.change([said()], { epoch, expected: head }))).kind)
      }
      expect(answers.filter((kind) => kind === 'committed')).toHaveLength(1)
    })

    verifies('REL-3', 'while its owner writes: the new owner knows whether that was stored', async () => {
      const pen = await Pen.create(it.store)
      const [answer, owner] = await Promise.all([it.store.commit(pen.change([said()])), Pen.claim(it.store, pen.id)])
      expect(owner.head).toBe(answer.kind === 'committed' ? 2 : 1)
    })

    verifies('REL-3', 'just before its owner writes: the new owner knows whether that was stored', async () => {
      const pen = await Pen.create(it.store)
      const [owner, answer] = await Promise.all([Pen.claim(it.store, pen.id), it.store.commit(pen.change([said()]))])
      expect(owner.head).toBe(answer.kind === 'committed' ? 2 : 1)
    })

    test('that never was gives nothing', async () => {
      expect(await it.store.claim(newId())).toBeUndefined()
    })

    test('fences only that session', async () => {
      const [one, other] = [await Pen.create(it.store), await Pen.create(it.store)]
      await it.store.claim(one.id)
      const [next] = await other.write(said())
      expect(next?.seq).toBe(2)
    })

    test('after a release goes on where it was', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(said())
      it.store.release(pen.id)
      const owner = await Pen.claim(it.store, pen.id)
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(3)
    })
  })
  describe('a session that somebody else owns', () => {
    verifies('REL-3', 'is not given away: who asks is told where it is and until when', async () => {
      const pen = await Pen.create(it.store)
      const other = it.second()
      expect(await other.claim(pen.id)).toEqual({ kind: 'elsewhere', where: 'first', until: Infinity })
      await pen.write(said())
      expect((await other.commit(pen.change([said()]))).kind).toBe('conflict')
      expect(await it.store.read(pen.id)).toHaveLength(2)
    })

    verifies('REL-3', 'is given to whoever asks when its time is over, and the former owner is fenced', async () => {
      const pen = await Pen.create(it.store)
      const other = it.second()
      it.endTime()
      const owner = await Pen.claim(other, pen.id)
      expect(await it.store.commit(pen.change([said()]))).toEqual({ kind: 'conflict', reason: 'epoch' })
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(2)
      expect(await it.store.claim(pen.id)).toMatchObject({ kind: 'elsewhere', where: 'second' })
    })

    verifies('REL-3', 'cannot be written to with what its owner knows', async () => {
      const pen = await Pen.create(it.store)
      const other = it.second()
      it.endTime()
      const owner = await Pen.claim(other, pen.id)
      const forged = { epoch: owner.epoch, expected: owner.head }
      expect((await it.store.commit(pen.change([said()], forged))).kind).toBe('conflict')
    })

    test('can be had once it is let go, and once its owner is gone', async () => {
      const [released, left] = [await Pen.create(it.store), it.second()]
      const kept = await Pen.create(left)
      it.store.release(released.id)
      expect(await left.claim(released.id)).toMatchObject({ kind: 'owned' })
      expect(await it.store.claim(kept.id)).toMatchObject({ kind: 'elsewhere' })
      await left.close()
      expect(await it.store.claim(kept.id)).toMatchObject({ kind: 'owned' })
      expect((await left.commit(kept.change([said()]))).kind).toBe('conflict')
    })

    verifies('REL-3', 'is nobody else to go on with until the time of its owner is over', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(started(newId()))
      const other = it.second()
      expect([await it.store.unfinished(), await other.unfinished()]).toEqual([[pen.id], []])
      it.endTime()
      expect(await other.unfinished()).toEqual([pen.id])
    })
  })
}
