import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../src/store/index.ts'
import { started, talk } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

const at = (seq: number, version = 1): Snapshot => ({ seq, version, body: `{"at":${seq},"as":${version}}` })

export function snapshotSuite(it: Subject): void {
  /** A session of ten events. */
  async function written(): Promise<SessionWriter> {
    const writer = await SessionWriter.create(it.store)
    for (let n = 0; n < 3; n += 1) await writer.write(...talk(3))
    return writer
  }
  const put = async (writer: SessionWriter, ...snapshots: Snapshot[]): Promise<void> => {
    for (const snapshot of snapshots) await it.store.putSnapshot(writer.id, snapshot)
  }
  const listed = async (): Promise<[string | undefined, number][]> =>
    (await it.store.snapshots(0, 100)).map(({ sessionId, seq }) => [sessionId, seq])

  describe('a snapshot', () => {
    test('is found as the last one of its version at or before a number, also by the next process', async () => {
      const writer = await written()
      await put(writer, at(2), at(5), at(7, 2))
      await it.reopen()
      expect(await it.store.snapshot(writer.id, 1)).toEqual(at(5))
      expect(await it.store.snapshot(writer.id, 1, 5)).toEqual(at(5))
      expect(await it.store.snapshot(writer.id, 1, 4)).toEqual(at(2))
      expect(await it.store.snapshot(writer.id, 1, 1)).toBeUndefined()
      expect(await it.store.snapshot(writer.id, 2)).toEqual(at(7, 2))
      expect(await it.store.snapshot(writer.id, 3)).toBeUndefined()
      expect(await it.store.snapshot('nobody', 1)).toBeUndefined()
    })

    test('takes the place of the one at its number', async () => {
      const writer = await written()
      await put(writer, at(5), { ...at(5), body: 'another' })
      expect(await it.store.snapshot(writer.id, 1)).toEqual({ ...at(5), body: 'another' })
    })

    test('of a parent is found by a fork up to where it was forked, until it has one of its own', async () => {
      const writer = await written()
      await put(writer, at(3), at(5), at(9))
      const fork = await writer.fork(6, started('fork'))
      const second = await fork.fork(4)
      expect(await it.store.snapshot(fork.id, 1)).toEqual(at(5))
      expect(await it.store.snapshot(second.id, 1)).toEqual(at(3))
      await put(fork, at(8, 1))
      expect(await it.store.snapshot(fork.id, 1)).toEqual(at(8))
      expect(await it.store.snapshot(fork.id, 1, 7)).toEqual(at(5))
      expect(await it.store.snapshot(writer.id, 1)).toEqual(at(9))
    })

    test('of a deleted session goes with its events, but for what living forks share', async () => {
      const writer = await written()
      await put(writer, at(3), at(6), at(9))
      const fork = await writer.fork(6)
      await put(fork, at(7))
      await writer.remove()
      await put(writer, at(10))
      expect(await it.store.snapshot(writer.id, 1)).toBeUndefined()
      await it.store.purge(writer.id)
      expect(await it.store.snapshot(fork.id, 1, 6)).toEqual(at(6))
      expect(await listed()).toEqual([
        [fork.id, 3],
        [fork.id, 6],
        [fork.id, 7],
      ])
      await fork.remove()
      await it.store.purge(fork.id)
      expect(await listed()).toEqual([])
    })

    test('is listed after those of its parent, some at a time', async () => {
      const writer = await written()
      const fork = await writer.fork(6)
      await put(fork, at(7))
      await put(writer, at(3), at(9, 2))
      const first = await it.store.snapshots(0, 2)
      expect(first.map(({ sessionId, seq, version }) => [sessionId, seq, version])).toEqual([
        [writer.id, 3, 1],
        [writer.id, 9, 2],
      ])
      const rest = await it.store.snapshots(first.at(-1)?.place ?? 0, 2)
      expect(rest).toEqual([{ ...at(7), sessionId: fork.id, place: expect.any(Number) as number }])
    })
  })
}
