import { describe, expect, test } from 'vitest'
import { DEFAULT_ROUND_LIMITS } from '../../support/limits.ts'
import { newId } from '../../../src/lib/id.ts'
import type { InputOptions } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, created, ended, input, said, started, waits } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function inputSuite(it: Subject): void {
  describe('an input that somebody else stores', () => {
    verifies(
      'REL-3',
      'for a session owned here is unread until that was asked, whoever looks at it before',
      async () => {
        const writer = await SessionWriter.create(it.store)
        const other = await it.second()
        await it.store.putInput(input(writer.id))
        expect(await it.store.unread()).toEqual([])
        const one = input(writer.id)
        await other.putInput(one)
        expect((await it.store.pendingInputs(writer.id)).at(-1)).toEqual(one)
        expect([await it.store.unread(), await other.unread()]).toEqual([[writer.id], []])
        expect(await it.store.unread()).toEqual([])
      },
    )

    test('for a session that nobody owns needs an owner', async () => {
      const writer = await SessionWriter.create(it.store)
      await it.store.release(writer.id)
      await (await it.second()).putInput(input(writer.id))
      expect([await it.store.unread(), await it.store.unfinished()]).toEqual([[], [writer.id]])
    })
  })

  describe('an input', () => {
    verifies('REL-3', 'waits, whole, until its session folds it in', async () => {
      const writer = await SessionWriter.create(it.store)
      const one = input(writer.id, { kind: 'cancel', requestId: newId(), by: 'ada' })
      await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await it.store.pendingInputs(writer.id)).toEqual([one])
    })

    verifies(['REL-1', 'REL-3'], 'that was acknowledged waits after a restart', async () => {
      const writer = await SessionWriter.create(it.store)
      const one = input(writer.id)
      await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await (await it.reopen()).pendingInputs(writer.id)).toEqual([one])
    })

    test('waits behind those that came before it', async () => {
      const writer = await SessionWriter.create(it.store)
      const inputs = Array.from({ length: 8 }, () => input(writer.id))
      for (const one of inputs) await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await it.store.pendingInputs(writer.id)).toEqual(inputs)
    })

    test('waits behind those that came before it, also when the clock that made its id was late', async () => {
      const writer = await SessionWriter.create(it.store)
      const late = input(writer.id)
      const early = input(writer.id)
      await it.store.putInput(early, { claim: claimOf(early.key) })
      await it.store.putInput(late, { claim: claimOf(late.key) })
      expect(await it.store.pendingInputs(writer.id)).toEqual([early, late])
    })

    verifies('COO-2', 'that is a message is found by the round it will be, until then', async () => {
      const writer = await SessionWriter.create(it.store)
      const requestId = newId()
      const body = {
        kind: 'message' as const,
        requestId,
        content: 'hi',
        actor: { id: 'ada', tenant: 't' },
        permissions: [],
        protocol: 'unified' as const,
        mode: 'act' as const,
        model: 'm',
        limits: DEFAULT_ROUND_LIMITS,
        toolResultsAs: 'system' as const,
        attended: true,
        interrupt: false,
      }
      const one = input(writer.id, body)
      const cancel = input(writer.id, { kind: 'cancel', requestId, by: 'ada' })
      for (const each of [cancel, one]) await it.store.putInput(each, { claim: claimOf(each.key) })
      expect(await it.store.queuedMessage(requestId)).toEqual(one)
      expect(await it.store.queuedMessage(newId())).toBeUndefined()
    })

    test('that can come only once needs no claim and leaves none', async () => {
      const writer = await SessionWriter.create(it.store)
      const [one, other] = [input(writer.id), input(writer.id)]
      for (const each of [one, other]) expect(await it.store.putInput(each)).toBe('stored')
      expect(await it.store.pendingInputs(writer.id)).toEqual([one, other])
      expect(await it.store.findClaim(one.key)).toBeUndefined()
      await expect(it.store.putInput(input(newId()))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    test('waits only for its own session', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const one = input(writer.id)
      await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await it.store.pendingInputs(other.id)).toEqual([])
    })

    verifies('REL-3', 'under a key that was used is not stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const [first, second] = [input(writer.id), input(writer.id)]
      await it.store.putInput(first, { claim: claimOf('once') })
      await it.store.putInput(second, { claim: claimOf('once') })
      expect(await it.store.pendingInputs(writer.id)).toEqual([first])
    })

    verifies('REL-3', 'under a key that was used is answered with the first claim', async () => {
      const writer = await SessionWriter.create(it.store)
      const first = claimOf('once')
      await it.store.putInput(input(writer.id), { claim: first })
      const answer = await it.store.putInput(input(writer.id), { claim: claimOf('once', { hash: 'another' }) })
      expect(answer).toEqual({ kind: 'repeated', claim: first })
    })

    verifies('REL-3', 'sent many times at once is stored once', async () => {
      const writer = await SessionWriter.create(it.store)
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => it.store.putInput(input(writer.id), { claim: claimOf('once') })),
      )
      expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
    })

    verifies('REL-3', 'is gone once the events that fold it in are stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const [one, other] = [input(writer.id), input(writer.id)]
      await it.store.putInput(one, { claim: claimOf(one.key) })
      await it.store.putInput(other, { claim: claimOf(other.key) })
      await writer.commit([said()], { consumed: [one.id] })
      expect(await it.store.pendingInputs(writer.id)).toEqual([other])
    })

    test('that was folded in still blocks its key', async () => {
      const writer = await SessionWriter.create(it.store)
      const one = input(writer.id)
      await it.store.putInput(one, { claim: claimOf(one.key) })
      await writer.commit([said()], { consumed: [one.id] })
      expect(await it.store.putInput(input(writer.id), { claim: claimOf(one.key) })).toMatchObject({ kind: 'repeated' })
    })

    verifies('REL-3', 'is not stored while one waits under its key in its session', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const [first, again] = [input(writer.id), input(writer.id)].map((one) => ({ ...one, key: 'cancel:r' }))
      expect(await it.store.putInput(first!)).toBe('stored')
      expect(await it.store.putInput(again!)).toEqual({ kind: 'waits', id: first!.id })
      expect(await it.store.putInput({ ...input(other.id), key: 'cancel:r' })).toBe('stored')
      expect(await it.store.pendingInputs(writer.id)).toEqual([first])
      await writer.commit([said()], { consumed: [first!.id] })
      expect(await it.store.putInput(again!)).toBe('stored')
    })

    test('is not stored past as many as may wait for its session', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const put = (id: string, most?: number) => it.store.putInput(input(id), { most })
      for (let i = 0; i < 3; i++) expect(await put(writer.id, 3)).toBe('stored')
      const late = input(writer.id)
      expect(await it.store.putInput(late, { claim: claimOf(late.key), most: 3 })).toBe('full')
      expect(await it.store.findClaim(late.key)).toBeUndefined()
      expect(await put(other.id, 3)).toBe('stored')
      expect(await put(writer.id)).toBe('stored')
      expect(await it.store.pendingInputs(writer.id)).toHaveLength(4)
    })

    verifies(
      'COO-4',
      'that is for an idle session only is stored where nothing is open and nothing waits',
      async () => {
        const put = async (id: string, more: InputOptions = {}) =>
          it.store.putInput(input(id), { ifIdle: true, ...more })
        const [writer, waiting] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
        const requestId = newId()
        await writer.write(started(requestId))
        expect(await put(writer.id)).toBe('busy')
        await writer.write(waits(requestId, null))
        expect(await put(writer.id, { claim: claimOf('refused') })).toBe('busy')
        expect([await it.store.pendingInputs(writer.id), await it.store.findClaim('refused')]).toEqual([[], undefined])
        await writer.write(ended(requestId))
        expect(await put(writer.id, { claim: claimOf('taken') })).toBe('stored')
        expect(await put(writer.id)).toBe('busy')
        // Who asks again for what was taken hears that, and nothing of being busy.
        expect(await put(writer.id, { claim: claimOf('taken') })).toMatchObject({ kind: 'repeated' })
        await it.store.putInput(input(waiting.id))
        expect(await put(waiting.id, { most: 1 })).toBe('busy')
      },
    )

    verifies('COO-4', 'that is for an idle session only and comes many times at once is stored once', async () => {
      const writer = await SessionWriter.create(it.store)
      const other = await it.second()
      const stores = [it.store, other, it.store, other, it.store, other]
      const answers = await Promise.all(stores.map((store) => store.putInput(input(writer.id), { ifIdle: true })))
      expect(answers.filter((answer) => answer === 'busy')).toHaveLength(5)
      expect(answers).toContain('stored')
    })

    for (const [what, session] of [
      ['never was', async () => newId()],
      [
        'was deleted',
        async () => {
          const writer = await SessionWriter.create(it.store)
          await writer.remove()
          return writer.id
        },
      ],
    ] as const) {
      describe(`for a session that ${what}`, () => {
        test('is refused as not found', async () => {
          const one = input(await session())
          await expect(it.store.putInput(one, { claim: claimOf(one.key) })).rejects.toMatchObject({ code: 'NOT_FOUND' })
        })

        test('leaves its key free', async () => {
          const one = input(await session())
          await it.store.putInput(one, { claim: claimOf(one.key) }).catch(() => 'expected')
          expect(await it.store.findClaim(one.key)).toBeUndefined()
        })
      })
    }
  })

  describe('a claim', () => {
    test('that nobody made is not found', async () => {
      expect(await it.store.findClaim('never')).toBeUndefined()
    })

    test('is found as it was made', async () => {
      const writer = await SessionWriter.create(it.store)
      const claim = claimOf('once', { result: { nested: ['result', 1, null, true] } })
      await writer.commit([said()], { claim })
      expect(await it.store.findClaim('once')).toEqual(claim)
    })

    verifies('REL-1', 'is found after a restart', async () => {
      const writer = await SessionWriter.create(it.store)
      const claim = claimOf('once')
      await writer.commit([said()], { claim })
      expect(await (await it.reopen()).findClaim('once')).toEqual(claim)
    })

    test('that was made answers a second change with the first result', async () => {
      const writer = await SessionWriter.create(it.store)
      const claim = claimOf('once')
      await writer.commit([said()], { claim })
      const answer = await it.store.commit(writer.change([said()], { claim: claimOf('once', { hash: 'another' }) }))
      expect(answer).toEqual({ kind: 'repeated', claim })
    })

    test('that was made lets a second change change nothing', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said('first')], { claim: claimOf('once') })
      const before = await writer.read()
      await it.store.commit(writer.change([said('second')], { claim: claimOf('once') }))
      expect(await writer.read()).toEqual(before)
    })

    test('that was made keeps a second session from being created', async () => {
      const [first, second] = [newId(), newId()]
      for (const id of [first, second]) {
        const change = new SessionWriter(it.store, id, 1, 0).change([created()], { create: {}, claim: claimOf('once') })
        await it.store.commit(change)
      }
      expect(await it.store.session(second)).toBeUndefined()
    })

    test('holds for changes and inputs alike', async () => {
      const writer = await SessionWriter.create(it.store)
      const claim = claimOf('once')
      await writer.commit([said()], { claim })
      expect(await it.store.putInput(input(writer.id), { claim: claimOf('once') })).toEqual({ kind: 'repeated', claim })
    })

    test('made by several changes at once is made by one', async () => {
      const writers = await Promise.all(Array.from({ length: 6 }, () => SessionWriter.create(it.store)))
      const answers = await Promise.all(
        writers.map((writer) => it.store.commit(writer.change([said()], { claim: claimOf('once') }))),
      )
      expect(answers.filter((answer) => answer.kind === 'committed')).toHaveLength(1)
    })

    test('stays made when the session it was made for is purged', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      await writer.commit([said()], { claim: claimOf('once') })
      await writer.removeAndPurge()
      expect(await it.store.putInput(input(other.id), { claim: claimOf('once') })).toMatchObject({ kind: 'repeated' })
    })

    test('says nothing any more when the session it was made for is purged', async () => {
      const writer = await SessionWriter.create(it.store)
      const claim = claimOf('once')
      await writer.commit([said()], { claim })
      await writer.removeAndPurge()
      const left = JSON.stringify(await it.store.findClaim('once'))
      expect([left.includes(claim.hash), left.includes('requestId')]).toEqual([false, false])
    })

    test('is forgotten once it is old, whatever it was made for, and may be made again', async () => {
      const writer = await SessionWriter.create(it.store)
      const first = said()
      const { at } = first
      await writer.commit([first], { claim: claimOf('of a change') })
      const one = { ...input(writer.id), at }
      await it.store.putInput(one, { claim: claimOf(one.key) })
      await writer.commit([said()], { consumed: [one.id], claim: claimOf('a later one') })
      expect(await it.store.forgetClaims(at, 100)).toBe(0)
      expect(await it.store.forgetClaims(at + 1, 100)).toBe(2)
      const left = await Promise.all(['of a change', one.key, 'a later one'].map((key) => it.store.findClaim(key)))
      expect(left.map((claim) => claim?.key)).toEqual([undefined, undefined, 'a later one'])
      expect(await it.store.putInput(input(writer.id), { claim: claimOf('of a change') })).toBe('stored')
    })

    test('is as old as it says, whatever it was made for', async () => {
      const writer = await SessionWriter.create(it.store)
      const old = said()
      await writer.commit([old], { claim: { ...claimOf('of old events'), at: old.at + 10 } })
      expect(await it.store.forgetClaims(old.at + 10, 100)).toBe(0)
      expect(await it.store.forgetClaims(old.at + 11, 100)).toBe(1)
    })

    test('is kept, however old, while its input waits', async () => {
      const writer = await SessionWriter.create(it.store)
      const one = input(writer.id)
      await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await it.store.forgetClaims(one.at + 1, 100)).toBe(0)
      await writer.commit([said()], { consumed: [one.id] })
      expect(await it.store.forgetClaims(one.at + 1, 100)).toBe(1)
    })

    test('is forgotten with no more others than asked for, the oldest first', async () => {
      const writer = await SessionWriter.create(it.store)
      for (const key of ['a', 'b', 'c']) await writer.commit([said()], { claim: claimOf(key) })
      expect(await it.store.forgetClaims(Infinity, 2)).toBe(2)
      expect(await it.store.findClaim('c')).toBeDefined()
      expect(await it.store.forgetClaims(Infinity, 2)).toBe(1)
    })

    test('outlives the session it was made for', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { claim: claimOf('once') })
      await writer.remove()
      expect(await it.store.findClaim('once')).toBeDefined()
    })
  })
}
