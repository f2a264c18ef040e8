import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import { newId } from '../../../src/lib/id.ts'
import { loopStep } from '../../../src/lib/loop-step.ts'
import type { Extras, OutboxEvent, Store } from '../../../src/store/index.ts'
import { claimOf, created, deleted, part, said } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

const event = (n: number, more: Partial<OutboxEvent> = {}): OutboxEvent => ({
  id: newId(),
  type: 'knowledge.published',
  tenant: 'acme',
  at: 100 + n,
  payload: { documentId: `d${n}`, version: n, deep: [{ chunks: null }] },
  ...more,
})

/** Stores something of which the outbox is told. */
const tell = (store: Store, extras: Extras, id = newId()) =>
  store.putPrompt(
    {
      id,
      tenant: 'acme',
      workspaceId: newId(),
      name: 'n',
      content: 'c',
      author: 'ada',
      tokens: 1,
      createdAt: 1,
    },
    extras,
  )

export function outboxSuite(it: Subject): void {
  const told = async (after = 0, limit = 1000): Promise<OutboxEvent[]> =>
    (await it.store.outbox(after, limit)).map(({ place: _, ...one }) => one)

  describe('the outbox', () => {
    test('has what was stored with its cause, in this order and whole, also after a restart', async () => {
      const wished = [event(1), event(2, { type: 'memory.created', userId: 'ada' }), event(3)]
      await tell(it.store, { outbox: wished.slice(0, 2) })
      await tell(it.store, { outbox: wished.slice(2) })
      expect(await told()).toEqual(wished)
      await it.reopen()
      expect(await told()).toEqual(wished)
    })

    test('is read on from a place, in parts', async () => {
      const wished = [event(1), event(2), event(3)]
      await tell(it.store, { outbox: wished })
      const [first, second] = await it.store.outbox(0, 2)
      expect([first?.id, second?.id]).toEqual(wished.slice(0, 2).map(({ id }) => id))
      expect(await told(second?.place, 2)).toEqual(wished.slice(2))
      expect(await told((await it.store.outbox(0, 9)).at(-1)?.place)).toEqual([])
    })

    test('has nothing of what was not stored, and nothing twice where it was asked for twice', async () => {
      const claim = { key: 'once', hash: 'h', result: null }
      const one = event(1)
      const id = newId()
      await tell(it.store, { claim, outbox: [one] }, id)
      expect(await tell(it.store, { claim, outbox: [event(2)] })).toMatchObject({ kind: 'repeated' })
      await expect(tell(it.store, { outbox: [event(3)] }, id)).rejects.toThrow()
      expect(await told()).toEqual([one])
    })

    test('has an event once, however often it is stored, with whatever else is', async () => {
      const [one, other] = [event(1), event(2)]
      const stores = [it.store, await it.second()]
      for (const _ of [1, 2]) await Promise.all(stores.map((store) => store.addOutbox(one)))
      await tell(it.store, { outbox: [one, other, one] })
      expect(await told()).toEqual([one, other])
    })

    test('has what is stored by itself, once per claim and with its record', async () => {
      const claim = { key: 'once', hash: 'h', result: { id: 'a' } }
      const [one, other] = [event(1, { type: 'lead.created', depth: 3, sessionId: 'gone' }), event(2)]
      const audit = [
        auditRecord('event_reported', { id: newId(), at: 1, userId: 'ada', tenant: 'acme' }, { event: one.type }),
      ]
      expect(await it.store.addOutbox(one, { claim, audit })).toBe('stored')
      expect(await it.store.addOutbox(other, { claim, audit })).toEqual({ kind: 'repeated', claim })
      expect(await told()).toEqual([one])
      expect((await it.store.auditPage({ tenant: 'acme' })).items).toHaveLength(1)
    })

    test('loses what was told, and nothing else', async () => {
      const wished = [event(1), event(2), event(3)]
      await tell(it.store, { outbox: wished })
      const [, second] = await it.store.outbox(0, 9)
      for (const _ of [1, 2]) await it.store.removeOutbox(second?.place ?? 0)
      expect(await told()).toEqual([wished[0], wished[2]])
    })

    test('forgets what is from before a time, so many at once and the oldest first', async () => {
      const wished = [event(3), event(1), event(2), event(4)]
      await tell(it.store, { outbox: wished })
      const left = async (): Promise<number[]> => (await told()).map(({ at }) => at - 100)
      await it.store.forgetOutbox(104, 2)
      expect(await left()).toEqual([3, 4])
      await it.store.forgetOutbox(104, 10)
      expect(await left()).toEqual([4])
    })

    test('gives no place again that was given once', async () => {
      await tell(it.store, { outbox: [event(1)] })
      const [before] = await it.store.outbox(0, 1)
      await it.store.forgetOutbox(1000, 1)
      await (await it.reopen()).forgetOutbox(1000, 1)
      await tell(it.store, { outbox: [event(2)] })
      expect(await it.store.outbox(before?.place ?? 0, 1)).toMatchObject([{ at: 102 }])
    })

    test('shows whoever removes what he has seen every event once, however many are stored meanwhile', async () => {
      const stores = [it.store, await it.second()]
      const wished = Array.from({ length: 120 }, (_, i) => event(i))
      const writers = await Promise.all(stores.map((store) => SessionWriter.create(store)))
      let isOver = false
      const telling = Promise.all([
        ...wished.slice(0, 40).map((one, i) => tell(stores[i % 2] ?? it.store, { outbox: [one] })),
        ...wished.slice(40, 80).map((one, i) => (stores[i % 2] ?? it.store).addOutbox(one)),
        ...writers.map(async (writer, w) => {
          for (let i = 0; i < 20; i++)
            await writer.commit([said()], { outbox: wished.slice(80 + w * 20 + i).slice(0, 1) })
        }),
      ]).finally(() => (isOver = true))
      const seen: string[] = []
      for (let wasOver = false; !wasOver; await loopStep()) {
        wasOver = isOver
        for (const { id, place } of await it.store.outbox(0, 1000)) {
          seen.push(id)
          await it.store.removeOutbox(place)
        }
      }
      await telling
      expect(seen.toSorted()).toEqual(wished.map(({ id }) => id).toSorted())
      // Those of one session in the order in which they happened.
      for (const [from, to] of [
        [80, 100],
        [100, 120],
      ] as const) {
        const ids = wished.slice(from, to).map(({ id }) => id)
        expect(seen.filter((id) => ids.includes(id))).toEqual(ids)
      }
    })
  })

  describe('the outbox of a session', () => {
    const ofSession = (n: number, { id }: SessionWriter, more: Partial<OutboxEvent> = {}): OutboxEvent =>
      event(n, { type: 'chat.message.created', userId: 'ada', sessionId: id, ...more })

    test('has what a change tells, in order and whole, together with the change', async () => {
      const writer = await SessionWriter.create(it.store)
      const [one, two, three] = [ofSession(1, writer), ofSession(2, writer, { depth: 2 }), ofSession(3, writer)]
      await writer.commit([said(), said()], { outbox: [one, two] })
      await writer.commit([said()])
      await writer.commit([said()], { outbox: [three] })
      expect(await told()).toEqual([one, two, three])
      await it.reopen()
      expect(await told()).toEqual([one, two, three])
    })

    test('has what comes with a new session, a claim, and texts and files', async () => {
      const writer = new SessionWriter(it.store, newId(), 1, 0)
      const wished = [1, 2, 3].map((n) => ofSession(n, writer))
      await writer.commit([created()], { create: {}, outbox: wished.slice(0, 1), parts: [part('words')] })
      await writer.commit([said()], { claim: claimOf('once'), outbox: wished.slice(1, 2) })
      await writer.commit([said()], { parts: [part('more')], outbox: wished.slice(2) })
      expect(await told()).toEqual(wished)
    })

    test('has nothing of a change that was refused', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { claim: claimOf('once') })
      const outbox = [ofSession(1, writer)]
      expect(await it.store.commit({ ...writer.change([said()], { outbox }), expected: 9 })).toMatchObject({
        kind: 'conflict',
      })
      expect(await it.store.commit({ ...writer.change([said()], { outbox }), epoch: 9 })).toMatchObject({
        kind: 'conflict',
      })
      expect(await it.store.commit(writer.change([said()], { outbox, claim: claimOf('once') }))).toMatchObject({
        kind: 'repeated',
      })
      expect(await told()).toEqual([])
    })

    test('has what each of many sessions told at once, and nothing of those among them that were refused', async () => {
      const writers = await Promise.all(Array.from({ length: 30 }, () => SessionWriter.create(it.store)))
      const events = writers.map((writer, i) => ofSession(i, writer))
      const answers = await Promise.all(
        writers.map((writer, i) => {
          const change = writer.change([said()], i % 3 === 2 ? {} : { outbox: events.slice(i, i + 1) })
          return it.store.commit(i % 3 === 1 ? { ...change, expected: 7 } : change)
        }),
      )
      expect(answers.map(({ kind }) => kind)).toEqual(writers.map((_, i) => (i % 3 === 1 ? 'conflict' : 'committed')))
      const wished = events.filter((_, i) => i % 3 === 0)
      expect((await told()).toSorted((a, b) => a.at - b.at)).toEqual(wished)
    })

    test('keeps odd characters of its payload as they are', async () => {
      const writer = await SessionWriter.create(it.store)
      const payload = { odd: 'NUL \0, half \ud83d, whole 🌍, \\u0000 "quoted"', [`na"me\0`]: [1.5, null, true] }
      const one = ofSession(1, writer, { payload })
      await writer.commit([said()], { outbox: [one] })
      await it.store.addOutbox({ ...one, id: 'other' })
      expect(await told()).toEqual([one, { ...one, id: 'other' }])
    })

    test('is erased with the session, also what is told of it later', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const kept = ofSession(2, other)
      await writer.commit([said()], { outbox: [ofSession(1, writer), ofSession(3, writer)] })
      await other.commit([said()], { outbox: [kept] })
      await writer.commit([deleted()], { outbox: [ofSession(4, writer)] })
      await it.store.addOutbox(ofSession(5, writer))
      await it.store.purge(writer.id)
      await it.store.addOutbox(ofSession(6, writer))
      await tell(it.store, { outbox: [ofSession(7, writer)] })
      expect(await told()).toEqual([kept])
    })

    test('is erased with what its user had', async () => {
      const writer = await SessionWriter.create(it.store)
      const bobs = ofSession(2, writer, { userId: 'bob' })
      await writer.commit([said()], { outbox: [ofSession(1, writer), bobs] })
      await it.store.eraseInvocations('acme', 'ada')
      expect(await told()).toEqual([bobs])
    })

    test('is still told when its user has their memories forgotten', async () => {
      const writer = await SessionWriter.create(it.store)
      const asked = ofSession(1, writer)
      await writer.commit([said()], { outbox: [asked] })
      await it.store.forgetMemories('acme', 'ada')
      expect(await told()).toEqual([asked])
    })
  })
}
