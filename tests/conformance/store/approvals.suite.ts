import { describe, expect, test } from 'vitest'
import type { ApprovalView, UnknownCallView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Page } from '../../../src/store/index.ts'
import { asked, decided, HERS, input, reconciled, result, started, unknown } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function approvalSuite(it: Subject): void {
  describe('an approval', () => {
    test('is seen as it was asked for', async () => {
      const writer = await SessionWriter.create(it.store)
      const event = asked('r', 'a')
      await writer.write(started('r'), event)
      const expected: ApprovalView = {
        id: 'a',
        sessionId: writer.id,
        requestId: 'r',
        callId: 'call of a',
        tool: 'send_mail',
        args: { to: 'bob' },
        target: 'bob',
        reason: 'it sends mail',
        rememberable: true,
        isQuestion: false,
        status: 'pending',
        requestedAt: event.at,
        expiresAt: 2_000_000_000_000,
      }
      expect(await it.store.approval('a')).toEqual(expected)
    })

    test('keeps what its tool shows of it', async () => {
      const writer = await SessionWriter.create(it.store)
      const shown = { kind: 'command', text: 'rm \0 “x”', dangers: [{ from: 0, to: 2, why: 'deletes' }] } as const
      const event = asked('r', 'a')
      await writer.write(started('r'), { ...event, data: { ...event.data, shown } } as typeof event)
      expect(await it.store.approval('a')).toMatchObject({ shown })
      expect((await it.store.check()).findings).toEqual([])
    })

    for (const [decision, status] of [
      ['approve', 'approved'],
      ['deny', 'denied'],
      ['expired', 'expired'],
      ['stale', 'stale'],
    ] as const) {
      test(`with decision ${decision} is ${status}`, async () => {
        const writer = await SessionWriter.create(it.store)
        await writer.write(started('r'), asked('r', 'a'))
        await writer.write(decided('r', 'a', decision))
        expect(await it.store.approval('a')).toMatchObject({ status, decidedBy: 'ada' })
      })
    }

    test('that another one replaces is stale, whoever decided it', async () => {
      const writer = await SessionWriter.create(it.store)
      const again = asked('r', 'b')
      await writer.write(started('r'), asked('r', 'a'), decided('r', 'a', 'approve'))
      await writer.write({ ...again, data: { ...again.data, replaces: 'a' } } as typeof again)
      expect(await it.store.approval('a')).toMatchObject({ status: 'stale', decidedBy: 'ada' })
      expect(await it.store.approval('b')).toMatchObject({ status: 'pending' })
      expect((await it.store.check()).findings).toEqual([])
    })

    test('whose decision waits to be folded in is seen as decided, unless it came too late', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('r'), asked('r', 'yes'), asked('r', 'no'), asked('r', 'open'), asked('r', 'late', 5))
      for (const [approvalId, decision] of [
        ['yes', 'approve'],
        ['no', 'deny'],
        ['late', 'approve'],
      ] as const) {
        const body = { kind: 'decision', approvalId, decision, by: 'bob' } as const
        await it.store.putInput({ ...input(writer.id, body), key: `decision:${approvalId}`, at: 5 })
      }
      const [yes, no] = [
        { id: 'yes', status: 'approved', decidedBy: 'bob' },
        { id: 'no', status: 'denied', decidedBy: 'bob' },
      ]
      expect([await it.store.approval('yes'), await it.store.approval('no')]).toMatchObject([yes, no])
      const listed = async (status: ApprovalView['status']) => (await it.store.approvals({ ...HERS, status })).items
      expect(await listed('approved')).toMatchObject([yes])
      expect(await listed('denied')).toMatchObject([no])
      expect((await listed('pending')).map(({ id }) => id)).toEqual(['open', 'late'])
      expect((await it.store.check()).findings).toEqual([])
    })

    test('that never was is not found', async () => {
      expect(await it.store.approval(newId())).toBeUndefined()
    })

    async function several(): Promise<SessionWriter> {
      const other = await SessionWriter.create(it.store)
      await other.write(started('q'), asked('q', 'elsewhere'))
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('r'), asked('r', 'open'), asked('r', 'yes'), asked('r', 'no'))
      await writer.write(decided('r', 'yes', 'approve'), decided('r', 'no', 'deny'))
      return writer
    }
    const ids = ({ items }: Page<ApprovalView>): string[] => items.map(({ id }) => id)

    test('is listed while it waits, the oldest first', async () => {
      await several()
      expect(ids(await it.store.approvals({ ...HERS, status: 'pending' }))).toEqual(['elsewhere', 'open'])
    })

    test('is listed by its status', async () => {
      await several()
      expect(ids(await it.store.approvals({ ...HERS, status: 'denied' }))).toEqual(['no'])
    })

    test('is listed with all others, the newest first', async () => {
      await several()
      expect(ids(await it.store.approvals(HERS))).toEqual(['no', 'yes', 'open', 'elsewhere'])
    })

    test('is listed for its owner and for nobody else', async () => {
      await several()
      const eves = await SessionWriter.create(it.store, { actor: { id: 'eve', tenant: 'local' } })
      await eves.write(started('e'), asked('e', 'hers'))
      const rivals = await SessionWriter.create(it.store, { actor: { id: 'ada', tenant: 'rival' } })
      await rivals.write(started('f'), asked('f', 'theirs'))
      for (const status of [{}, { status: 'pending' }] as const) {
        expect(ids(await it.store.approvals({ tenant: 'local', owner: 'eve', ...status }))).toEqual(['hers'])
        expect(ids(await it.store.approvals({ tenant: 'rival', owner: 'ada', ...status }))).toEqual(['theirs'])
        expect(ids(await it.store.approvals({ tenant: 'rival', owner: 'eve', ...status }))).toEqual([])
        expect(ids(await it.store.approvals({ ...HERS, ...status }))).not.toContain('hers')
      }
    })

    test('that was asked for in a fork belongs to who has the fork', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.fork(1, started('r'), asked('r', 'a'))
      expect(ids(await it.store.approvals(HERS))).toEqual(['a'])
    })

    for (const [what, status, order] of [
      ['that waits', { status: 'pending' }, ['a', 'b', 'c', 'd', 'e']],
      ['of any status', {}, ['e', 'd', 'c', 'b', 'a']],
    ] as const) {
      test(`${what} is on one page, also when others come and go between the pages`, async () => {
        const writer = await SessionWriter.create(it.store)
        await writer.write(started('r'), ...['a', 'b', 'c', 'd', 'e'].map((id) => asked('r', id)))
        const first = await it.store.approvals({ ...HERS, ...status, limit: 2 })
        await writer.write(decided('r', order[0], 'deny'))
        const second = await it.store.approvals({ ...HERS, ...status, limit: 2, cursor: first.next ?? '' })
        const third = await it.store.approvals({ ...HERS, ...status, limit: 1, cursor: second.next ?? '' })
        expect([first, second, third].flatMap(ids)).toEqual(order)
        expect(third.next).toBeNull()
      })
    }

    test('is not listed after a cursor nobody gave', async () => {
      for (const cursor of ['', 'x', '-1', '1.5', '9'.repeat(40)])
        await expect(it.store.approvals({ ...HERS, cursor })).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
          field: 'cursor',
        })
    })
  })

  describe('a call whose effect is unknown', () => {
    test('is seen as it ended', async () => {
      const writer = await SessionWriter.create(it.store)
      const event = unknown('r', 'c')
      await writer.write(started('r'), event)
      const expected: UnknownCallView = {
        callId: 'c',
        sessionId: writer.id,
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
        const writer = await SessionWriter.create(it.store)
        await writer.write(started('r'), unknown('r', 'c'))
        await writer.write(reconciled('c', happened))
        expect(await it.store.unknownCall('c')).toMatchObject({ effect, reconciled: happened })
      })
    }

    test('is listed until it is reconciled', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('r'), unknown('r', 'open'), unknown('r', 'settled'))
      await writer.write(reconciled('settled', false))
      const { items } = await it.store.unknownCalls(HERS)
      expect(items.map(({ callId }) => callId)).toEqual(['open'])
    })

    test('is listed for its owner and for nobody else', async () => {
      await (await SessionWriter.create(it.store)).write(unknown('r', 'hers'))
      await (
        await SessionWriter.create(it.store, { actor: { id: 'eve', tenant: 'local' } })
      ).write(unknown('q', 'eves'))
      const listed = async (tenant: string, owner: string): Promise<string[]> =>
        (await it.store.unknownCalls({ tenant, owner })).items.map(({ callId }) => callId)
      expect([await listed('local', 'ada'), await listed('local', 'eve'), await listed('rival', 'ada')]).toEqual([
        ['hers'],
        ['eves'],
        [],
      ])
    })

    test('is on one page of many, oldest first', async () => {
      const writer = await SessionWriter.create(it.store)
      for (const call of ['a', 'b', 'c']) await writer.write(unknown('r', call))
      const first = await it.store.unknownCalls({ ...HERS, limit: 2 })
      await writer.write(reconciled('a', true))
      const second = await it.store.unknownCalls({ ...HERS, limit: 2, cursor: first.next ?? '' })
      expect([first, second].map(({ items }) => items.map(({ callId }) => callId))).toEqual([['a', 'b'], ['c']])
      expect(second.next).toBeNull()
    })

    test('is not one whose effect is known', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('r'), result('r', 'c'))
      expect(await it.store.unknownCall('c')).toBeUndefined()
    })
  })
}
