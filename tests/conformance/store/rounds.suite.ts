import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../../src/contract/event.ts'
import type { RoundView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { ended, fact, said, started, unstarted, waits } from './facts.ts'
import { Pen } from './pen.ts'
import type { Subject } from './subject.ts'

export function roundSuite(it: Subject): void {
  describe('a round', () => {
    verifies('COO-2', 'is seen running from its first event', async () => {
      const pen = await Pen.create(it.store)
      const first = started('r')
      await pen.write(said(), first)
      const expected: RoundView = {
        requestId: 'r',
        sessionId: pen.id,
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
      const pen = await Pen.create(it.store)
      const last = ended('r')
      await pen.write(started('r'), said())
      await pen.write(last)
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
        const pen = await Pen.create(it.store)
        await pen.write(started('r'))
        for (const event of events) await pen.write(event())
        const view = await it.store.round('r')
        expect([view?.state, view?.waitingFor]).toEqual([state, waitingFor])
      })
    }

    test('is due when what it waits for has not come in time, and no more when it goes on', async () => {
      const [one, other, never] = [await Pen.create(it.store), await Pen.create(it.store), await Pen.create(it.store)]
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
      const pen = await Pen.create(it.store)
      const end = unstarted('q')
      await pen.write(started('r'), said())
      await pen.write(end)
      await pen.write(said())
      expect(await it.store.round('q')).toEqual({
        requestId: 'q',
        sessionId: pen.id,
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
      expect(await it.store.session(pen.id)).toMatchObject({ open: { requestId: 'r', state: 'running' } })
      for (const seq of [3, 4, 5]) expect(await it.store.roundAt(pen.id, seq)).toMatchObject({ requestId: 'r' })
      expect((await it.store.check()).findings).toEqual([])
    })

    test('that never was is not found', async () => {
      expect(await it.store.round(newId())).toBeUndefined()
    })

    test('is not changed by a fork that ends it for itself', async () => {
      const pen = await Pen.create(it.store)
      await pen.write(started('r'), said())
      await pen.fork(3, ended('r'))
      expect(await it.store.round('r')).toMatchObject({ state: 'running', sessionId: pen.id })
    })
  })

  describe('the list of rounds', () => {
    async function three(): Promise<Pen> {
      const other = await Pen.create(it.store)
      await other.write(started('other'))
      const pen = await Pen.create(it.store)
      await pen.write(started('paused'), fact('round.paused', { nextPhaseIndex: 1 }, 'paused'))
      await pen.write(started('first'), ended('first'))
      await pen.write(started('second'), ended('second'))
      return pen
    }
    const ids = (rounds: readonly RoundView[]): string[] => rounds.map((round) => round.requestId)

    test('of a session holds its rounds and no others', async () => {
      const pen = await three()
      expect(ids(await it.store.rounds({ sessionId: pen.id })).toSorted()).toEqual(['first', 'paused', 'second'])
    })

    test('of a session that never was is empty', async () => {
      await three()
      expect(await it.store.rounds({ sessionId: newId() })).toEqual([])
    })

    test('of all sessions holds all rounds', async () => {
      await three()
      expect(ids(await it.store.rounds({})).toSorted()).toEqual(['first', 'other', 'paused', 'second'])
    })

    test('in some states holds those only', async () => {
      await three()
      const states = ['running', 'ended'] as const
      expect(ids(await it.store.rounds({ states })).toSorted()).toEqual(['first', 'other', 'second'])
    })

    test('in open states holds those only', async () => {
      await three()
      const states = ['running', 'waiting', 'paused', 'queued'] as const
      expect(ids(await it.store.rounds({ states })).toSorted()).toEqual(['other', 'paused'])
    })

    test('holds no more than asked for', async () => {
      await three()
      expect(await it.store.rounds({ limit: 2 })).toHaveLength(2)
    })

    test('in open states holds no more than asked for', async () => {
      await three()
      expect(await it.store.rounds({ states: ['running', 'paused'], limit: 1 })).toHaveLength(1)
    })

    test('of a session finds a state beyond the newest rounds', async () => {
      const pen = await three()
      expect(ids(await it.store.rounds({ sessionId: pen.id, states: ['paused'], limit: 1 }))).toEqual(['paused'])
    })

    test('of all sessions finds a state beyond the newest rounds', async () => {
      await three()
      const pen = await Pen.create(it.store)
      await pen.write(started('newest'))
      expect(ids(await it.store.rounds({ states: ['ended', 'paused'], limit: 3 })).toSorted()).toEqual([
        'first',
        'paused',
        'second',
      ])
    })
  })

  describe('the round at an event', () => {
    /** 1 created, 2 said, 3–5 round one, 6 said, 7–9 round two, 10 said, 11–12 round three, still open. */
    async function log(): Promise<Pen> {
      const pen = await Pen.create(it.store)
      await pen.write(said(), started('one'), said(), ended('one'), said())
      await pen.write(started('two'), said())
      await pen.write(ended('two'), said(), started('three'), said())
      return pen
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
      const pen = await log()
      expect(await at(pen.id, 12)).toEqual(ROUNDS)
    })

    verifies('LIN-6', 'is found in a fork of a fork at every number it inherited', async () => {
      const pen = await log()
      const fork = await (await pen.fork(12)).fork(11)
      expect(await at(fork.id, 11)).toEqual(ROUNDS.slice(0, 11))
    })

    verifies('LIN-6', 'is found in a fork at the number where it was cut', async () => {
      const pen = await log()
      const fork = await pen.fork(8)
      expect(await at(fork.id, 8)).toEqual(ROUNDS.slice(0, 8))
    })

    test('is the one that was open at the fork point until the fork starts its own', async () => {
      const pen = await log()
      const fork = await pen.fork(8, ended('two'), said(), started('its own'))
      const rounds = await Promise.all([9, 10, 11, 12].map((seq) => it.store.roundAt(fork.id, seq)))
      expect(rounds.map((round) => round?.requestId)).toEqual(['two', 'two', 'two', 'its own'])
    })

    test('is one of the fork itself after the fork point', async () => {
      const pen = await log()
      const fork = await pen.fork(6, started('its own'), said())
      expect((await it.store.roundAt(fork.id, 9))?.requestId).toBe('its own')
    })

    test('is not one that its parent started after the fork point', async () => {
      const pen = await log()
      const fork = await pen.fork(6)
      expect(await it.store.roundAt(fork.id, 7)).toBeUndefined()
    })

    for (const [when, purge] of [
      ['deleted', false],
      ['deleted and purged', true],
    ] as const) {
      test(`is still found in a fork whose parent was ${when}`, async () => {
        const pen = await log()
        const fork = await pen.fork(8)
        await pen.remove()
        if (purge) await it.store.purge(pen.id)
        expect(await at(fork.id, 8)).toEqual(ROUNDS.slice(0, 8))
      })
    }

    test('beyond the last event is the open round, however far', async () => {
      const pen = await log()
      expect((await it.store.roundAt(pen.id, Number.MAX_SAFE_INTEGER))?.requestId).toBe('three')
    })

    test('of a session that never was is none', async () => {
      expect(await it.store.roundAt(newId(), 1)).toBeUndefined()
    })
  })
}
