import { describe, expect, test } from 'vitest'
import type { ApprovalView, UnknownCallView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import { asked, decided, reconciled, result, started, unknown } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

export function approvalSuite(it: Subject): void {
  describe('an approval', () => {
    test('is seen as it was asked for', async () => {
      const pen = await Pen.create(it.store)
      const event = asked('r', 'a')
      await pen.write(started('r'), event)
      const expected: ApprovalView = {
        id: 'a',
        sessionId: pen.id,
        requestId: 'r',
        callId: 'call of a',
        tool: 'send_mail',
        args: { to: 'bob' },
        target: 'bob',
        reason: 'it sends mail',
        rememberable: true,
        status: 'pending',
        requestedAt: event.at,
        expiresAt: 2_000_000_000_000,
      }
      expect(await it.store.approval('a')).toEqual(expected)
    })

    for (const [decision, status] of [
      ['approve', 'approved'],
      ['deny', 'denied'],
      ['expired', 'expired'],
      ['stale', 'stale'],
    ] as const) {
      test(`with decision ${decision} is ${status}`, async () => {
        const pen = await Pen.create(it.store)
        await pen.write(started('r'), asked('r', 'a'))
        await pen.write(decided('r', 'a', decision))
        expect(await it.store.approval('a')).toMatchObject({ status, decidedBy: 'ada' })
      })
    }

    test('that never was is not found', async () => {
      expect(await it.store.approval(newId())).toBeUndefined()
    })

    async function several(): Promise<Pen> {
      const other = await Pen.create(it.store)
      await other.write(started('q'), asked('q', 'elsewhere'))
      const pen = await Pen.create(it.store)
      await pen.write(started('r'), asked('r', 'open'), asked('r', 'yes'), asked('r', 'no'))
      await pen.write(decided('r', 'yes', 'approve'), decided('r', 'no', 'deny'))
      return pen
    }
    const ids = (approvals: readonly ApprovalView[]): string[] => approvals.map(({ id }) => id).toSorted()

    test('is listed by its status', async () => {
      await several()
      expect(ids(await it.store.approvals({ status: 'pending' }))).toEqual(['elsewhere', 'open'])
    })

    test('is listed by its session', async () => {
      const pen = await several()
      expect(ids(await it.store.approvals({ sessionId: pen.id }))).toEqual(['no', 'open', 'yes'])
    })

    test('is listed by its status and session', async () => {
      const pen = await several()
      expect(ids(await it.store.approvals({ status: 'denied', sessionId: pen.id }))).toEqual(['no'])
    })
  })

  describe('a call whose effect is unknown', () => {
    test('is seen as it ended', async () => {
      const pen = await Pen.create(it.store)
      const event = unknown('r', 'c')
      await pen.write(started('r'), event)
      const expected: UnknownCallView = {
        callId: 'c',
        sessionId: pen.id,
        requestId: 'r',
        tool: 'send_mail',
        signature: 'signature of c',
        outcome: 'unknown',
        effect: 'unknown',
        endedAt: event.at,
      }
      expect(await it.store.unknownCall('c')).toEqual(expected)
    })

    for (const [happened, effect] of [
      [true, 'done'],
      [false, 'none'],
    ] as const) {
      test(`has effect ${effect} once a person says so`, async () => {
        const pen = await Pen.create(it.store)
        await pen.write(started('r'), unknown('r', 'c'))
        await pen.write(reconciled('c', happened))
        expect(await it.store.unknownCall('c')).toMatchObject({ effect, reconciled: happened })
      })
    }

    test('is listed until and after it is reconciled, apart', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(started('r'), unknown('r', 'open'), unknown('r', 'settled'))
      await pen.write(reconciled('settled', false))
      const lists = await Promise.all(
        [false, true, undefined].map(async (reconciled) => {
          const calls = await it.store.unknownCalls(reconciled === undefined ? {} : { reconciled })
          return calls.map(({ callId }) => callId).toSorted()
        }),
      )
      expect(lists).toEqual([['open'], ['settled'], ['open', 'settled']])
    })

    test('is not one whose effect is known', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(started('r'), result('r', 'c'))
      expect(await it.store.unknownCall('c')).toBeUndefined()
    })
  })
}
