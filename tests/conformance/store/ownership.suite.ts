import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import type { Ownership } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { said, started, talk } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function ownershipSuite(it: Subject): void {
  describe('claiming a session', () => {
    test('raises the epoch every time', async () => {
      const writer = await SessionWriter.create(it.store)
      const epochs = [writer.epoch]
      for (let i = 0; i < 3; i++) epochs.push((await SessionWriter.claim(it.store, writer.id)).epoch)
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b).filter((epoch, i, all) => epoch !== all[i - 1]))
    })

    test('tells the number of the last event', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(4))
      expect((await SessionWriter.claim(it.store, writer.id)).head).toBe(5)
    })

    test('tells the number of the last event of a fork that has none of its own but the first', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(4))
      const fork = await writer.fork(3)
      expect((await SessionWriter.claim(it.store, fork.id)).head).toBe(4)
    })

    verifies('REL-3', 'raises the epoch beyond what it was before a restart', async () => {
      const writer = await SessionWriter.create(it.store)
      const before = await SessionWriter.claim(it.store, writer.id)
      const after = await SessionWriter.claim(await it.reopen(), writer.id)
      expect(after.epoch).toBeGreaterThan(before.epoch)
    })

    verifies('REL-3', 'lets the new owner write', async () => {
      const writer = await SessionWriter.create(it.store)
      const owner = await SessionWriter.claim(it.store, writer.id)
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(2)
    })

    verifies('REL-3', 'keeps the former owner fenced after the new one has written', async () => {
      const writer = await SessionWriter.create(it.store)
      const owner = await SessionWriter.claim(it.store, writer.id)
      await owner.write(said())
      const answer = await it.store.commit(writer.change([said()], { expected: owner.head }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    verifies('REL-3', 'keeps the former owner fenced after a restart', async () => {
      const writer = await SessionWriter.create(it.store)
      await it.store.claim(writer.id)
      const store = await it.reopen()
      await store.claim(writer.id)
      expect(await store.commit(writer.change([said()]))).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    test('refuses an epoch that nobody has been given', async () => {
      const writer = await SessionWriter.create(it.store)
      const answer = await it.store.commit(writer.change([said()], { epoch: writer.epoch + 1 }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    verifies('REL-3', 'by several at once leaves one of them able to write', async () => {
      const writer = await SessionWriter.create(it.store)
      const claims = await Promise.all(Array.from({ length: 5 }, () => it.store.claim(writer.id)))
      const answers = []
      for (const claim of claims) {
        const { epoch, head } = claim as Ownership
        answers.push((await it.store.commit(writer.change([said()], { epoch, expected: head }))).kind)
      }
      expect(answers.filter((kind) => kind === 'committed')).toHaveLength(1)
    })

    verifies('REL-3', 'while its owner writes: the new owner knows whether that was stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const [answer, owner] = await Promise.all([
        it.store.commit(writer.change([said()])),
        SessionWriter.claim(it.store, writer.id),
      ])
      expect(owner.head).toBe(answer.kind === 'committed' ? 2 : 1)
    })

    verifies('REL-3', 'just before its owner writes: the new owner knows whether that was stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const [owner, answer] = await Promise.all([
        SessionWriter.claim(it.store, writer.id),
        it.store.commit(writer.change([said()])),
      ])
      expect(owner.head).toBe(answer.kind === 'committed' ? 2 : 1)
    })

    test('that never was gives nothing', async () => {
      expect(await it.store.claim(newId())).toBeUndefined()
    })

    test('fences only that session', async () => {
      const [one, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      await it.store.claim(one.id)
      const [next] = await other.write(said())
      expect(next?.seq).toBe(2)
    })

    test('after a release goes on where it was', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(said())
      await it.store.release(writer.id)
      const owner = await SessionWriter.claim(it.store, writer.id)
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(3)
    })
  })
  describe('a session that somebody else owns', () => {
    verifies('REL-3', 'is not given away: who asks is told where it is and until when', async () => {
      const writer = await SessionWriter.create(it.store)
      const other = await it.second()
      expect(await other.claim(writer.id)).toEqual({ kind: 'elsewhere', where: 'first', until: it.until })
      await writer.write(said())
      expect((await other.commit(writer.change([said()]))).kind).toBe('conflict')
      expect(await it.store.read(writer.id)).toHaveLength(2)
    })

    verifies('REL-3', 'is given to whoever asks when its time is over, and the former owner is fenced', async () => {
      const writer = await SessionWriter.create(it.store)
      const other = await it.second()
      await it.endTime()
      const owner = await SessionWriter.claim(other, writer.id)
      expect(await it.store.commit(writer.change([said()]))).toEqual({ kind: 'conflict', reason: 'epoch' })
      const [next] = await owner.write(said())
      expect(next?.seq).toBe(2)
      expect(await it.store.claim(writer.id)).toMatchObject({ kind: 'elsewhere', where: 'second' })
    })

    verifies('REL-2', 'says where its log stood when it was taken away, also to those who claim it later', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(said())
      const other = await it.second()
      await it.endTime()
      expect(await other.claim(writer.id)).toMatchObject({ kind: 'owned', evictedAt: 2 })
      await (await SessionWriter.claim(other, writer.id)).write(said())
      await other.release(writer.id)
      expect(await other.claim(writer.id)).toMatchObject({ kind: 'owned', head: 3, evictedAt: 2 })
    })

    verifies('REL-2', 'says nothing of that where it was let go, or its owner left', async () => {
      const [released, left] = [await SessionWriter.create(it.store), await it.second()]
      const kept = await SessionWriter.create(left)
      await it.store.release(released.id)
      expect(await left.claim(released.id)).not.toHaveProperty('evictedAt')
      await left.close()
      expect(await it.store.claim(kept.id)).not.toHaveProperty('evictedAt')
    })

    verifies('REL-3', 'cannot be written to with what its owner knows', async () => {
      const writer = await SessionWriter.create(it.store)
      const other = await it.second()
      await it.endTime()
      const owner = await SessionWriter.claim(other, writer.id)
      const forged = { epoch: owner.epoch, expected: owner.head }
      expect((await it.store.commit(writer.change([said()], forged))).kind).toBe('conflict')
    })

    test('can be had once it is let go, and once its owner is gone', async () => {
      const [released, left] = [await SessionWriter.create(it.store), await it.second()]
      const kept = await SessionWriter.create(left)
      await it.store.release(released.id)
      expect(await left.claim(released.id)).toMatchObject({ kind: 'owned' })
      expect(await it.store.claim(kept.id)).toMatchObject({ kind: 'elsewhere' })
      await left.close()
      expect(await it.store.claim(kept.id)).toMatchObject({ kind: 'owned' })
      expect((await left.commit(kept.change([said()]))).kind).toBe('conflict')
    })

    verifies('REL-3', 'is nobody else to go on with until the time of its owner is over', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started(newId()))
      const other = await it.second()
      expect([await it.store.unfinished(), await other.unfinished()]).toEqual([[writer.id], []])
      await it.endTime()
      expect(await other.unfinished()).toEqual([writer.id])
    })
  })
}
