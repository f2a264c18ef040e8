import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import type { Change, Store } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { asked, blob, blobText, claimOf, created, HERS, input, said, started, talk, unknown } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function commitSuite(it: Subject): void {
  describe('a commit', () => {
    verifies('LIN-1', 'numbers events from 1 without gaps, however they were grouped', async () => {
      const writer = await SessionWriter.create(it.store)
      for (const size of [1, 3, 2, 1, 5]) await writer.write(...talk(size))
      const numbers = (await writer.read()).map((event) => event.seq)
      expect(numbers).toEqual(Array.from({ length: 13 }, (_, i) => i + 1))
    })

    verifies('LIN-1', 'keeps the id, type, version, time, round and data of every event', async () => {
      const writer = await SessionWriter.create(it.store)
      const requestId = newId()
      const events = [started(requestId), said('hello'), unknown(requestId, 'call')]
      await writer.write(...events)
      const expected = events.map((event, i) => ({ ...event, sessionId: writer.id, seq: 2 + i }))
      expect((await writer.read()).slice(1)).toEqual(expected)
    })

    test('answers with the events as they are read back', async () => {
      const writer = await SessionWriter.create(it.store)
      const answered = await writer.write(...talk(3))
      expect(answered).toEqual(await it.store.read(writer.id, { after: 1 }))
    })

    test.each([
      ['a zero character', 'a\u0000b'],
      ['half a surrogate pair', 'a\ud800b\udc00'],
      ['quotes, a backslash and a line end', `'"\\\n\u2028`],
      ['scripts and emoji', 'Ünïcödé 漢字 👩‍👩‍👧‍👦'],
      ['a million characters', 'x'.repeat(1_000_000)],
    ])('keeps %s in a text', async (_, text) => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(said(text))
      expect((await writer.read())[1]?.data).toEqual({ content: [{ type: 'text', text }] })
    })

    test('without events still does the rest of the change', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([], { claim: claimOf('empty') })
      expect(await it.store.findClaim('empty')).toBeDefined()
    })
  })

  describe('a commit is refused', () => {
    for (const [what, expected] of [
      ['an older last number', 1],
      ['a number that is not there yet', 3],
    ] as const) {
      verifies('REL-3', `when it expects ${what}`, async () => {
        const writer = await SessionWriter.create(it.store)
        await writer.write(said())
        const answer = await it.store.commit(writer.change([said()], { expected }))
        expect(answer).toEqual({ kind: 'conflict', reason: 'number' })
      })
    }

    verifies('REL-3', 'when another has claimed the session since', async () => {
      const writer = await SessionWriter.create(it.store)
      await it.store.claim(writer.id)
      expect(await it.store.commit(writer.change([said()]))).toEqual({ kind: 'conflict', reason: 'epoch' })
    })

    test('when it creates a session that exists', async () => {
      const writer = await SessionWriter.create(it.store)
      const again = writer.change([created()], { create: {}, expected: 0 })
      expect(await it.store.commit(again)).toEqual({ kind: 'conflict', reason: 'exists' })
    })

    test('when it appends to a session that never was', async () => {
      const nobody = new SessionWriter(it.store, newId(), 1, 0)
      expect(await it.store.commit(nobody.change([said()]))).toEqual({ kind: 'conflict', reason: 'gone' })
    })

    test('when it creates a session that expects events before its first', async () => {
      const writer = new SessionWriter(it.store, newId(), 1, 3)
      const answer = await it.store.commit(writer.change([created()], { create: {} }))
      expect(answer).toEqual({ kind: 'conflict', reason: 'number' })
    })

    const refusals: [reason: string, spoil: (writer: SessionWriter) => Promise<Partial<Change>>][] = [
      ['number', async () => ({ expected: 1 })],
      ['epoch', async (writer) => ({ epoch: (await SessionWriter.claim(it.store, writer.id)).epoch - 1 })],
      ['exists', async () => ({ create: {}, expected: 0 })],
    ]
    for (const [reason, spoil] of refusals) {
      verifies('REL-3', `and changes nothing at all (${reason})`, async () => {
        const { writer, change } = await busySession(it.store)
        const spoiled = { ...change, ...(await spoil(writer)) }
        const before = await everything(it.store, change)
        expect(await it.store.commit(spoiled)).toEqual({ kind: 'conflict', reason })
        expect(await everything(it.store, change)).toEqual(before)
      })
    }
  })

  describe('a commit is all or nothing', () => {
    test('every part of a change is stored', async () => {
      const { writer, change } = await busySession(it.store)
      await it.store.commit(change)
      expect(await everything(it.store, change)).toMatchObject({
        events: { length: writer.head + change.events.length },
        rounds: [{ requestId: 'the round' }],
        approvals: [{ id: 'the approval' }],
        calls: [{ callId: 'the call' }],
        inputs: [],
        claim: change.claim,
        blobs: ['the blob'],
        job: { kind: 'the job', payload: { n: 1 } },
      })
    })

    test('nothing of a change is stored when its last event cannot be', async () => {
      const { change } = await busySession(it.store)
      const before = await everything(it.store, change)
      const twice = { ...change, events: [...change.events, started('the round')] }
      await expect(it.store.commit(twice)).rejects.toThrow()
      expect(await everything(it.store, change)).toEqual(before)
    })

    test('a session goes on with the next number after a change that failed', async () => {
      const { writer, change } = await busySession(it.store)
      const twice = { ...change, events: [...change.events, started('the round')] }
      await expect(it.store.commit(twice)).rejects.toThrow()
      const [next] = await writer.write(said())
      expect(next?.seq).toBe(writer.head)
    })

    test('a session whose creation failed can be created', async () => {
      const id = newId()
      const change = new SessionWriter(it.store, id, 1, 0).change([created(), started('r'), started('r')], {
        create: {},
      })
      await expect(it.store.commit(change)).rejects.toThrow()
      await SessionWriter.create(it.store, {}, id)
      expect(await it.store.read(id)).toHaveLength(1)
    })
  })

  describe('commits at once', () => {
    verifies('REL-3', 'on the same number: exactly one is stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => it.store.commit(writer.change([said(`racer ${i}`)]))),
      )
      expect(answers.filter((answer) => answer.kind === 'committed')).toHaveLength(1)
    })

    verifies('REL-3', 'on the same number: the log holds the one that was told it won', async () => {
      const writer = await SessionWriter.create(it.store)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => it.store.commit(writer.change([said(`racer ${i}`)]))),
      )
      const won = answers.flatMap((answer) => (answer.kind === 'committed' ? answer.events : []))
      expect((await writer.read()).slice(1)).toEqual(won)
    })

    test('of one new session: exactly one creates it', async () => {
      const writer = new SessionWriter(it.store, newId(), 1, 0)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => it.store.commit(writer.change([created()], { create: {} }))),
      )
      expect(answers.filter((answer) => answer.kind === 'committed')).toHaveLength(1)
    })

    test('of many sessions are all stored', async () => {
      const writers = await Promise.all(Array.from({ length: 40 }, () => SessionWriter.create(it.store)))
      await Promise.all(writers.map((writer, i) => writer.write(...talk(1 + (i % 4)))))
      const lengths = await Promise.all(writers.map(async (writer) => (await writer.read()).length))
      expect(lengths).toEqual(writers.map((_, i) => 2 + (i % 4)))
    })

    const faults: [what: string, spoil: () => Partial<Change>][] = [
      ['takes the request id of another round', () => ({ events: [started('taken')] })],
      ['cannot be written down', () => ({ events: [{ ...said(), data: { content: 1n } as never }] })],
      [
        'belongs to a round it does not name',
        () => ({ events: [{ ...started('r'), type: 'round.ended', requestId: null } as never] }),
      ],
    ]
    for (const [what, spoil] of faults) {
      describe(`with one among them that ${what}`, () => {
        async function race() {
          const writers = await Promise.all(Array.from({ length: 7 }, () => SessionWriter.create(it.store)))
          await (writers[0] as SessionWriter).write(started('taken'))
          const bad = writers[3] as SessionWriter
          const good = writers.filter((writer) => writer !== bad)
          const answers = writers.map((writer) =>
            writer === bad ? it.store.commit({ ...writer.change([]), ...spoil() }) : writer.write(said()),
          )
          return { bad, good, answers: await Promise.allSettled(answers) }
        }

        test('only that one fails', async () => {
          const { answers } = await race()
          const failed = answers.map((answer) => answer.status === 'rejected')
          expect(failed).toEqual([false, false, false, true, false, false, false])
        })

        test('the others are stored once', async () => {
          const { good } = await race()
          const lengths = await Promise.all(good.map(async (writer) => [(await writer.read()).length, writer.head]))
          expect(lengths.every(([length, head]) => length === head)).toBe(true)
        })

        test('its session has not changed and goes on', async () => {
          const { bad } = await race()
          const [next] = await bad.write(said('after'))
          expect(next?.seq).toBe(2)
        })
      })
    }
  })

  describe('reopening', () => {
    verifies('REL-1', 'finds everything that was acknowledged', async () => {
      const { change } = await busySession(it.store)
      await it.store.commit(change)
      const before = await everything(it.store, change)
      expect(await everything(await it.reopen(), change)).toEqual(before)
    })

    test('finds what was still waiting when the store was closed', async () => {
      const writer = await SessionWriter.create(it.store)
      const waiting = writer.write(said('last words'))
      const store = await it.reopen()
      await waiting
      expect(await store.read(writer.id)).toHaveLength(2)
    })

    verifies('REL-1', 'leaves a session that can go on', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(4))
      const again = await SessionWriter.claim(await it.reopen(), writer.id)
      const [next] = await again.write(said())
      expect(next?.seq).toBe(6)
    })
  })
}

/** A session with a waiting input, and a change that touches everything a change can touch. */
async function busySession(store: Store): Promise<{ writer: SessionWriter; change: Change }> {
  const writer = await SessionWriter.create(store)
  await writer.write(said())
  const waiting = input(writer.id)
  await store.putInput(waiting, { claim: claimOf(waiting.key) })
  const change = writer.change(
    [said('changed'), started('the round'), asked('the round', 'the approval'), unknown('the round', 'the call')],
    {
      consumed: [waiting.id],
      claim: claimOf('the claim'),
      blobs: [blob('the blob')],
      jobs: [{ kind: 'the job', payload: { n: 1 }, runAt: 5 }],
    },
  )
  return { writer, change }
}

/** All that `change` could have touched. The job is leased for no time at all, so that looking hides nothing. */
async function everything(store: Store, change: Change) {
  const job = await store.takeJob(10, -5)
  return {
    session: await store.session(change.sessionId),
    events: await store.read(change.sessionId),
    rounds: await store.rounds(change.sessionId),
    approvals: (await store.approvals(HERS)).items,
    calls: (await store.unknownCalls(HERS)).items,
    inputs: await store.pendingInputs(change.sessionId),
    claim: await store.findClaim(change.claim?.key ?? ''),
    blobs: await Promise.all((change.blobs ?? []).map(({ hash }) => blobText(store, hash))),
    job: job && { kind: job.kind, payload: job.payload },
    unfinished: await store.unfinished(),
  }
}
