import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../../src/contract/event.ts'
import type { RoundView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, fact, said, started, unstarted, waits } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function roundSuite(it: Subject): void {
  describe('a round', () => {
    verifies('COO-2', 'is seen running from its first event', async () => {
      const writer = await SessionWriter.create(it.store)
      const first = started('r')
      await writer.write(said(), first)
      const expected: RoundView = {
        requestId: 'r',
        sessionId: writer.id,
        state: 'running',
        protocol: 'unified',
        mode: 'act',
        model: 'scripted/default',
        startSeq: 3,
        usage: { input: 0, output: 0 },
        cost: 0,
        startedAt: first.at,
      }
      expect(await it.store.round('r')).toEqual(expected)
    })

    verifies('COO-2', 'is seen ended with its usage, cost, reason and times', async () => {
      const writer = await SessionWriter.create(it.store)
      const last = ended('r')
      await writer.write(started('r'), said())
      await writer.write(last)
      const expected = { state: 'ended', endSeq: 4, usage: { input: 7, output: 3 }, cost: 42, finishReason: 'complete' }
      expect(await it.store.round('r')).toMatchObject({ ...expected, endedAt: last.at })
    })

    const wait = (): NewEvent => fact('round.waiting', { for: 'approval', callIds: ['c'], until: null }, 'r')
    const pause = (): NewEvent => fact('round.paused', { nextPhaseIndex: 1 }, 'r')
    const resume = (): NewEvent => fact('round.resumed', { n: 1, turn: 1, reason: 'decided' }, 'r')
    for (const [what, events, state, waitingFor] of [
      ['waiting', [wait], 'waiting', 'approval'],
      ['paused', [pause], 'paused', undefined],
      ['running again after it waited', [wait, resume], 'running', undefined],
      ['paused after it waited', [wait, pause], 'paused', undefined],
      ['ended after it waited', [wait, () => ended('r')], 'ended', undefined],
    ] as const) {
      verifies('COO-2', `is seen ${what}`, async () => {
        const writer = await SessionWriter.create(it.store)
        await writer.write(started('r'))
        for (const event of events) await writer.write(event())
        const view = await it.store.round('r')
        expect([view?.state, view?.waitingFor]).toEqual([state, waitingFor])
      })
    }

    test('is due when what it waits for has not come in time, and no more when it goes on', async () => {
      const [one, other, never] = [
        await SessionWriter.create(it.store),
        await SessionWriter.create(it.store),
        await SessionWriter.create(it.store),
      ]
      await one.write(started('r'), waits('r', 400))
      await other.write(started('q'), waits('q', 400))
      await other.write(waits('q', 600))
      await never.write(started('p'), waits('p', null))
      expect(await it.store.dueRounds(399)).toEqual([])
      expect(await it.store.dueRounds(400)).toEqual([one.id])
      expect((await it.store.dueRounds(600)).toSorted()).toEqual([one.id, other.id].toSorted())
      await one.write(resume())
      await other.write(ended('q'))
      expect(await it.store.dueRounds(Infinity)).toEqual([])
    })

    verifies('COO-5', 'that never started is made by its end, and hides no other one', async () => {
      const writer = await SessionWriter.create(it.store)
      const end = unstarted('q')
      await writer.write(started('r'), said())
      await writer.write(end)
      await writer.write(said())
      expect(await it.store.round('q')).toEqual({
        requestId: 'q',
        sessionId: writer.id,
        state: 'ended',
        protocol: 'triggered',
        mode: 'plan',
        model: 'm',
        startSeq: 4,
        endSeq: 4,
        usage: { input: 0, output: 0 },
        cost: 0,
        finishReason: 'cancelled',
        startedAt: 7,
        endedAt: end.at,
      })
      expect(await it.store.session(writer.id)).toMatchObject({ open: { requestId: 'r', state: 'running' } })
      for (const seq of [3, 4, 5]) expect(await it.store.roundAt(writer.id, seq)).toMatchObject({ requestId: 'r' })
      expect((await it.store.check()).findings).toEqual([])
    })

    test('that never was is not found', async () => {
      expect(await it.store.round(newId())).toBeUndefined()
    })

    test('is not changed by a fork that ends it for itself', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('r'), said())
      await writer.fork(3, ended('r'))
      expect(await it.store.round('r')).toMatchObject({ state: 'running', sessionId: writer.id })
    })
  })

  describe('the list of rounds', () => {
    async function three(): Promise<SessionWriter> {
      const other = await SessionWriter.create(it.store)
      await other.write(started('other'))
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('paused'), fact('round.paused', { nextPhaseIndex: 1 }, 'paused'))
      await writer.write(started('first'), ended('first'))
      await writer.write(started('second'), ended('second'))
      return writer
    }
    const ids = (rounds: readonly RoundView[]): string[] => rounds.map((round) => round.requestId)

    test('of a session holds its rounds and no others', async () => {
      const writer = await three()
      expect(ids(await it.store.rounds(writer.id)).toSorted()).toEqual(['first', 'paused', 'second'])
    })

    test('of a session that never was is empty', async () => {
      await three()
      expect(await it.store.rounds(newId())).toEqual([])
    })

    test('begins with the newest and holds no more than asked for', async () => {
      const writer = await three()
      expect(ids(await it.store.rounds(writer.id, 2))).toEqual(['second', 'first'])
    })
  })

  describe('the round at an event', () => {
    /** 1 created, 2 said, 3–5 round one, 6 said, 7–9 round two, 10 said, 11–12 round three, still open. */
    async function log(): Promise<SessionWriter> {
      const writer = await SessionWriter.create(it.store)
      await writer.write(said(), started('one'), said(), ended('one'), said())
      await writer.write(started('two'), said())
      await writer.write(ended('two'), said(), started('three'), said())
      return writer
    }
    const ROUNDS = [
      undefined,
      undefined,
      'one',
      'one',
      'one',
      undefined,
      'two',
      'two',
      'two',
      undefined,
      'three',
      'three',
    ]
    const at = (id: string, upTo: number): Promise<(string | undefined)[]> =>
      Promise.all(Array.from({ length: upTo }, async (_, i) => (await it.store.roundAt(id, i + 1))?.requestId))

    verifies('COO-2', 'is the one that contains it, if any', async () => {
      const writer = await log()
      expect(await at(writer.id, 12)).toEqual(ROUNDS)
    })

    verifies('LIN-6', 'is found in a fork of a fork at every number it inherited', async () => {
      const writer = await log()
      const fork = await (await writer.fork(12)).fork(11)
      expect(await at(fork.id, 11)).toEqual(ROUNDS.slice(0, 11))
    })

    verifies('LIN-6', 'is found in a fork at the number where it was cut', async () => {
      const writer = await log()
      const fork = await writer.fork(8)
      expect(await at(fork.id, 8)).toEqual(ROUNDS.slice(0, 8))
    })

    test('is the one that was open at the fork point until the fork starts its own', async () => {
      const writer = await log()
      const fork = await writer.fork(8, ended('two'), said(), started('its own'))
      const rounds = await Promise.all([9, 10, 11, 12].map((seq) => it.store.roundAt(fork.id, seq)))
      expect(rounds.map((round) => round?.requestId)).toEqual(['two', 'two', 'two', 'its own'])
    })

    test('is one of the fork itself after the fork point', async () => {
      const writer = await log()
      const fork = await writer.fork(6, started('its own'), said())
      expect((await it.store.roundAt(fork.id, 9))?.requestId).toBe('its own')
    })

    test('is not one that its parent started after the fork point', async () => {
      const writer = await log()
      const fork = await writer.fork(6)
      expect(await it.store.roundAt(fork.id, 7)).toBeUndefined()
    })

    for (const [when, purge] of [
      ['deleted', false],
      ['deleted and purged', true],
    ] as const) {
      test(`is still found in a fork whose parent was ${when}`, async () => {
        const writer = await log()
        const fork = await writer.fork(8)
        await writer.remove()
        if (purge) await it.store.purge(writer.id)
        expect(await at(fork.id, 8)).toEqual(ROUNDS.slice(0, 8))
      })
    }

    test('beyond the last event is the open round, however far', async () => {
      const writer = await log()
      expect((await it.store.roundAt(writer.id, Number.MAX_SAFE_INTEGER))?.requestId).toBe('three')
    })

    test('of a session that never was is none', async () => {
      expect(await it.store.roundAt(newId(), 1)).toBeUndefined()
    })
  })
}
