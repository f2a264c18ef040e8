import { describe, expect, test } from 'vitest'
import { DEFAULT_ROUND_LIMITS } from '../../support/limits.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, created, input, said } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

export function inputSuite(it: Subject): void {
  describe('an input that somebody else stores', () => {
    verifies(
      'REL-3',
      'for a session owned here is unread until that was asked, whoever looks at it before',
      async () => {
        const pen = await Pen.create(it.store)
        const other = it.second()
        await it.store.putInput(input(pen.id))
        expect(await it.store.unread()).toEqual([])
        const one = input(pen.id)
        await other.putInput(one)
        expect((await it.store.pendingInputs(pen.id)).at(-1)).toEqual(one)
        expect([await it.store.unread(), await other.unread()]).toEqual([[pen.id], []])
        expect(await it.store.unread()).toEqual([])
      },
    )

    test('for a session that nobody owns needs an owner', async () => {
      const pen = await Pen.create(it.store)
      it.store.release(pen.id)
      await it.second().putInput(input(pen.id))
      expect([await it.store.unread(), await it.store.unfinished()]).toEqual([[], [pen.id]])
    })
  })

  describe('an input', () => {
    verifies('REL-3', 'waits, whole, until its session folds it in', async () => {
      const pen = await Pen.create(it.store)
      const one = input(pen.id, { kind: 'cancel', requestId: newId(), by: 'ada' })
      await it.store.putInput(one, claimOf(one.key))
      expect(await it.store.pendingInputs(pen.id)).toEqual([one])
    })

    verifies(['REL-1', 'REL-3'], 'that was acknowledged waits after a restart', async () => {
      const pen = await Pen.create(it.store)
      const one = input(pen.id)
      await it.store.putInput(one, claimOf(one.key))
      expect(await (await it.reopen()).pendingInputs(pen.id)).toEqual([one])
    })

    test('waits behind those that came before it', async () => {
      const pen = await Pen.create(it.store)
      const inputs = Array.from({ length: 8 }, () => input(pen.id))
      for (const one of inputs) await it.store.putInput(one, claimOf(one.key))
      expect(await it.store.pendingInputs(pen.id)).toEqual(inputs)
    })

    test('waits behind those that came before it, also when the clock that made its id was late', async () => {
      const pen = await Pen.create(it.store)
      const late = input(pen.id)
      const early = input(pen.id)
      await it.store.putInput(early, claimOf(early.key))
      await it.store.putInput(late, claimOf(late.key))
      expect(await it.store.pendingInputs(pen.id)).toEqual([early, late])
    })

    verifies('COO-2', 'that is a message is found by the round it will be, until then', async () => {
      const pen = await Pen.create(it.store)
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
      const one = input(pen.id, body)
      const cancel = input(pen.id, { kind: 'cancel', requestId, by: 'ada' })
      for (const each of [cancel, one]) await it.store.putInput(each, claimOf(each.key))
      expect(await it.store.queuedMessage(requestId)).toEqual(one)
      expect(await it.store.queuedMessage(newId())).toBeUndefined()
    })

    test('that can come only once needs no claim and leaves none', async () => {
      const pen = await Pen.create(it.store)
      const [one, other] = [input(pen.id), input(pen.id)]
      for (const each of [one, other]) expect(await it.store.putInput(each)).toBe('stored')
      expect(await it.store.pendingInputs(pen.id)).toEqual([one, other])
      expect(await it.store.findClaim(one.key)).toBeUndefined()
      await expect(it.store.putInput(input(newId()))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    test('waits only for its own session', async () => {
      const [pen, other] = [await Pen.create(it.store), await Pen.create(it.store)]
      const one = input(pen.id)
      await it.store.putInput(one, claimOf(one.key))
      expect(await it.store.pendingInputs(other.id)).toEqual([])
    })

    verifies('REL-3', 'under a key that was used is not stored', async () => {
      const pen = await Pen.create(it.store)
      const [first, second] = [input(pen.id), input(pen.id)]
      await it.store.putInput(first, claimOf('once'))
      await it.store.putInput(second, claimOf('once'))
      expect(await it.store.pendingInputs(pen.id)).toEqual([first])
    })

    verifies('REL-3', 'under a key that was used is answered with the first claim', async () => {
      const pen = await Pen.create(it.store)
      const first = claimOf('once')
      await it.store.putInput(input(pen.id), first)
      const answer = await it.store.putInput(input(pen.id), claimOf('once', { hash: 'another' }))
      expect(answer).toEqual({ kind: 'repeated', claim: first })
    })

    verifies('REL-3', 'sent many times at once is stored once', async () => {
      const pen = await Pen.create(it.store)
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => it.store.putInput(input(pen.id), claimOf('once'))),
      )
      expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
    })

    verifies('REL-3', 'is gone once the events that fold it in are stored', async () => {
      const pen = await Pen.create(it.store)
      const [one, other] = [input(pen.id), input(pen.id)]
      await it.store.putInput(one, claimOf(one.key))
      await it.store.putInput(other, claimOf(other.key))
      await pen.commit([said()], { consumed: [one.id] })
      expect(await it.store.pendingInputs(pen.id)).toEqual([other])
    })

    test('that was folded in still blocks its key', async () => {
      const pen = await Pen.create(it.store)
      const one = input(pen.id)
      await it.store.putInput(one, claimOf(one.key))
      await pen.commit([said()], { consumed: [one.id] })
      expect(await it.store.putInput(input(pen.id), claimOf(one.key))).toMatchObject({ kind: 'repeated' })
    })

    verifies('REL-3', 'is not stored while one waits under its key in its session', async () => {
      const [pen, other] = [await Pen.create(it.store), await Pen.create(it.store)]
      const [first, again] = [input(pen.id), input(pen.id)].map((one) => ({ ...one, key: 'cancel:r' }))
      expect(await it.store.putInput(first!)).toBe('stored')
      expect(await it.store.putInput(again!)).toEqual({ kind: 'waits', id: first!.id })
      expect(await it.store.putInput({ ...input(other.id), key: 'cancel:r' })).toBe('stored')
      expect(await it.store.pendingInputs(pen.id)).toEqual([first])
      await pen.commit([said()], { consumed: [first!.id] })
      expect(await it.store.putInput(again!)).toBe('stored')
    })

    test('is not stored past as many as may wait for its session', async () => {
      const [pen, other] = [await Pen.create(it.store), await Pen.create(it.store)]
      const put = (id: string, most?: number) => it.store.putInput(input(id), undefined, [], most)
      for (let i = 0; i < 3; i++) expect(await put(pen.id, 3)).toBe('stored')
      const late = input(pen.id)
      expect(await it.store.putInput(late, claimOf(late.key), [], 3)).toBe('full')
      expect(await it.store.findClaim(late.key)).toBeUndefined()
      expect(await put(other.id, 3)).toBe('stored')
      expect(await put(pen.id)).toBe('stored')
      expect(await it.store.pendingInputs(pen.id)).toHaveLength(4)
    })

    for (const [what, session] of [
      ['never was', async () => newId()],
      [
        'was deleted',
        async () => {
          const pen = await Pen.create(it.store)
          await pen.remove()
          return pen.id
        },
      ],
    ] as const) {
      describe(`for a session that ${what}`, () => {
        test('is refused as not found', async () => {
          const one = input(await session())
          await expect(it.store.putInput(one, claimOf(one.key))).rejects.toMatchObject({ code: 'NOT_FOUND' })
        })

        test('leaves its key free', async () => {
          const one = input(await session())
          await it.store.putInput(one, claimOf(one.key)).catch(() => 'expected')
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
      const pen = await Pen.create(it.store)
      const claim = claimOf('once', { result: { nested: ['result', 1, null, true] } })
      await pen.commit([said()], { claim })
      expect(await it.store.findClaim('once')).toEqual(claim)
    })

    verifies('REL-1', 'is found after a restart', async () => {
      const pen = await Pen.create(it.store)
      const claim = claimOf('once')
      await pen.commit([said()], { claim })
      expect(await (await it.reopen()).findClaim('once')).toEqual(claim)
    })

    test('that was made answers a second change with the first result', async () => {
      const pen = await Pen.create(it.store)
      const claim = claimOf('once')
      await pen.commit([said()], { claim })
      const answer = await it.store.commit(pen.change([said()], { claim: claimOf('once', { hash: 'another' }) }))
      expect(answer).toEqual({ kind: 'repeated', claim })
    })

    test('that was made lets a second change change nothing', async () => {
      const pen = await Pen.create(it.store)
      await pen.commit([said('first')], { claim: claimOf('once') })
      const before = await pen.read()
      await it.store.commit(pen.change([said('second')], { claim: claimOf('once') }))
      expect(await pen.read()).toEqual(before)
    })

    test('that was made keeps a second session from being created', async () => {
      const [first, second] = [newId(), newId()]
      for (const id of [first, second]) {
        const change = new Pen(it.store, id, 1, 0).change([created()], { create: {}, claim: claimOf('once') })
        await it.store.commit(change)
      }
      expect(await it.store.session(second)).toBeUndefined()
    })

    test('holds for changes and inputs alike', async () => {
      const pen = await Pen.create(it.store)
      const claim = claimOf('once')
      await pen.commit([said()], { claim })
      expect(await it.store.putInput(input(pen.id), claimOf('once'))).toEqual({ kind: 'repeated', claim })
    })

    test('made by several changes at once is made by one', async () => {
      const pens = await Promise.all(Array.from({ length: 6 }, () => Pen.create(it.store)))
      const answers = await Promise.all(
        pens.map((pen) => it.store.commit(pen.change([said()], { claim: claimOf('once') }))),
      )
      expect(answers.filter((answer) => answer.kind === 'committed')).toHaveLength(1)
    })

    test('stays made when the session it was made for is purged', async () => {
      const [pen, other] = [await Pen.create(it.store), await Pen.create(it.store)]
      await pen.commit([said()], { claim: claimOf('once') })
      await pen.removeAndPurge()
      expect(await it.store.putInput(input(other.id), claimOf('once'))).toMatchObject({ kind: 'repeated' })
    })

    test('says nothing any more when the session it was made for is purged', async () => {
      const pen = await Pen.create(it.store)
      const claim = claimOf('once')
      await pen.commit([said()], { claim })
      await pen.removeAndPurge()
      const left = JSON.stringify(await it.store.findClaim('once'))
      expect([left.includes(claim.hash), left.includes('requestId')]).toEqual([false, false])
    })

    test('is forgotten once it is old, whatever it was made for, and may be made again', async () => {
      const pen = await Pen.create(it.store)
      const first = said()
      const { at } = first
      await pen.commit([first], { claim: claimOf('of a change') })
      const one = { ...input(pen.id), at }
      await it.store.putInput(one, claimOf(one.key))
      await pen.commit([said()], { consumed: [one.id], claim: claimOf('a later one') })
      expect(await it.store.forgetClaims(at, 100)).toBe(0)
      expect(await it.store.forgetClaims(at + 1, 100)).toBe(2)
      const left = await Promise.all(['of a change', one.key, 'a later one'].map((key) => it.store.findClaim(key)))
      expect(left.map((claim) => claim?.key)).toEqual([undefined, undefined, 'a later one'])
      expect(await it.store.putInput(input(pen.id), claimOf('of a change'))).toBe('stored')
    })

    test('is kept, however old, while its input waits', async () => {
      const pen = await Pen.create(it.store)
      const one = input(pen.id)
      await it.store.putInput(one, claimOf(one.key))
      expect(await it.store.forgetClaims(one.at + 1, 100)).toBe(0)
      await pen.commit([said()], { consumed: [one.id] })
      expect(await it.store.forgetClaims(one.at + 1, 100)).toBe(1)
    })

    test('is forgotten with no more others than asked for, the oldest first', async () => {
      const pen = await Pen.create(it.store)
      for (const key of ['a', 'b', 'c']) await pen.commit([said()], { claim: claimOf(key) })
      expect(await it.store.forgetClaims(Infinity, 2)).toBe(2)
      expect(await it.store.findClaim('c')).toBeDefined()
      expect(await it.store.forgetClaims(Infinity, 2)).toBe(1)
    })

    test('outlives the session it was made for', async () => {
      const pen = await Pen.create(it.store)
      await pen.commit([said()], { claim: claimOf('once') })
      await pen.remove()
      expect(await it.store.findClaim('once')).toBeDefined()
    })
  })
}
