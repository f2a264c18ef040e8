import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, forked, said, started, talk } from './facts.ts'
import { nameless, SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function forkSuite(it: Subject): void {
  describe('a fork', () => {
    verifies('LIN-6', 'reads every prefix of its parent byte for byte, wherever it begins', async () => {
      const parent = await SessionWriter.create(it.store)
      for (const size of [3, 1, 4]) await parent.write(...talk(size))
      const whole = nameless(await parent.read())
      for (let seq = 1; seq <= parent.head; seq++) {
        const fork = await parent.fork(seq)
        expect(nameless(await it.store.read(fork.id, { upTo: seq }))).toEqual(whole.slice(0, seq))
      }
    })

    verifies('LIN-1', 'numbers its first event after the fork point', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(5))
      const fork = await parent.fork(4)
      expect((await fork.read()).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5])
    })

    verifies('LIN-1', 'is the one session that all of its events name', async () => {
      const parent = await SessionWriter.create(it.store)
      const fork = await parent.fork(1, ...talk(2))
      expect((await fork.read()).map((event) => event.sessionId)).toEqual(Array<string>(4).fill(fork.id))
    })

    verifies('LIN-6', 'has the rounds it inherited, with the end they have there', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(started('r'), said(), ended('r'))
      await parent.write(started('q'), said())
      const fork = await parent.fork(parent.head, { ...ended('q'), at: 77 })
      await parent.write(said(), ended('q'))
      const second = await fork.fork(fork.head)
      await parent.write(started('later'), ended('later'))
      await parent.removeAndPurge()
      for (const { id } of [fork, second]) {
        const its = { sessionId: id, state: 'ended' }
        expect(await it.store.roundIn(id, 'r')).toMatchObject({ ...its, startSeq: 2, endSeq: 4 })
        expect(await it.store.roundIn(id, 'q')).toMatchObject({ ...its, startSeq: 5, endSeq: 8, endedAt: 77 })
        expect(await it.store.roundIn(id, 'later')).toBeUndefined()
      }
      await second.write(started('own'))
      expect(await it.store.roundIn(second.id, 'own')).toMatchObject({ sessionId: second.id, state: 'running' })
      expect(await it.store.roundIn(fork.id, 'own')).toBeUndefined()
      expect(await it.store.roundIn(parent.id, 'r')).toBeUndefined()
    })

    verifies('LIN-6', 'can be continued at once by who made it', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const fork = await parent.fork(2)
      const [next] = await fork.write(said('onwards'))
      expect(next?.seq).toBe(4)
    })

    test('does not see what its parent stores later', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const fork = await parent.fork(4)
      const before = await fork.read()
      await parent.write(...talk(6))
      expect(await fork.read()).toEqual(before)
    })

    test('does not show its parent what it stores', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const before = await parent.read()
      const fork = await parent.fork(2)
      await fork.write(...talk(5))
      expect(await parent.read()).toEqual(before)
    })

    test('does not see what another fork of the same event stores', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const [one, other] = [await parent.fork(3), await parent.fork(3)]
      const before = await one.read()
      await other.write(...talk(4))
      expect(await one.read()).toEqual(before)
    })

    verifies('LIN-6', 'of a fork of a fork reads the lineage at every number', async () => {
      const family = await fourGenerations(it)
      for (const { writer, log } of family) {
        for (let upTo = 0; upTo <= writer.head; upTo++) {
          expect(nameless(await it.store.read(writer.id, { upTo }))).toEqual(log.slice(0, upTo))
        }
      }
    })

    verifies('LIN-6', 'of a fork of a fork reads the same after a restart', async () => {
      const family = await fourGenerations(it)
      const store = await it.reopen()
      for (const { writer, log } of family) expect(nameless(await store.read(writer.id))).toEqual(log)
    })

    test('of a fork, at a number the fork inherited, reads the grandparent', async () => {
      const root = await SessionWriter.create(it.store)
      await root.write(...talk(8))
      const middle = await root.fork(7, ...talk(2))
      const last = await middle.fork(3)
      expect(nameless(await last.read()).slice(0, 3)).toEqual(nameless(await root.read()).slice(0, 3))
    })

    test('names its parent and its last number', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(4))
      const fork = await parent.fork(3, said())
      const parentOf = { sessionId: parent.id, seq: 3 }
      expect(await it.store.session(fork.id)).toMatchObject({ parent: parentOf, seq: 5 })
    })

    test('can be made while its parent goes on', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const [fork] = await Promise.all([parent.fork(4), parent.write(...talk(3))])
      expect(await fork.read()).toHaveLength(5)
    })
  })

  describe('a fork is refused', () => {
    const attempt = (parent: string, seq: number, expected = seq) => {
      const writer = new SessionWriter(it.store, newId(), 1, expected)
      return it.store.commit(writer.change([forked(parent, seq)], { create: { parent: { sessionId: parent, seq } } }))
    }

    test('when its parent never was', async () => {
      expect(await attempt(newId(), 1)).toEqual({ kind: 'conflict', reason: 'gone' })
    })

    test('when its parent was deleted', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.remove()
      expect(await attempt(parent.id, 1)).toEqual({ kind: 'conflict', reason: 'gone' })
    })

    test('or whole, when its parent is deleted and purged in the same moment', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(3))
      const [answer] = await Promise.all([attempt(parent.id, 3), parent.removeAndPurge()])
      const stored = answer.kind === 'committed' ? (answer.events[0]?.sessionId ?? '') : undefined
      const length = stored === undefined ? 'refused' : (await it.store.read(stored)).length
      expect(['refused', 4]).toContain(length)
    })

    verifies('LIN-1', 'at a number its parent does not have', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(2))
      expect(await attempt(parent.id, 4)).toEqual({ kind: 'conflict', reason: 'number' })
    })

    test('when it expects another number than the fork point', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(...talk(2))
      expect(await attempt(parent.id, 2, 3)).toEqual({ kind: 'conflict', reason: 'number' })
    })
  })
}

interface Generation {
  readonly writer: SessionWriter
  /** what it must read, put together from what was written where */
  readonly log: string[]
}

/** Four generations; the forks begin inside commits, at their edges, and before the place where their parent began. */
async function fourGenerations(it: Subject): Promise<Generation[]> {
  const root = await SessionWriter.create(it.store)
  const first: StoredEvent[] = await root.read()
  first.push(...(await root.write(...talk(4))), ...(await root.write(...talk(5))))
  const family: Generation[] = [{ writer: root, log: nameless(first) }]
  for (const [generation, seq] of [
    [0, 7],
    [1, 10],
    [2, 3],
    [2, 12],
  ] as const) {
    const parent = family[generation] as Generation
    const writer = await parent.writer.fork(seq, said('inherited by my forks'))
    const own = await it.store.read(writer.id, { after: seq })
    own.push(...(await writer.write(...talk(3))))
    family.push({ writer, log: [...parent.log.slice(0, seq), ...nameless(own)] })
  }
  return family
}
