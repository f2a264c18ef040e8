import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../contract/event.ts'
import type { Input } from '../contract/input.ts'
import type { EffectClass } from '../contract/outcome.ts'
import {
  decided,
  givenLog,
  requested,
  result,
  resumed,
  roundEnded,
  roundStarted,
  started,
  submitted,
  turnWithCalls,
  typesOf,
  userSays,
  waiting,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { close, overdueResult } from './close.ts'
import { foldInput, type Folded } from './fold-input.ts'
import { nextStep, type Step } from './next-step.ts'
import { answerLost, takeOver } from './recover.ts'
import type { Round } from './round-state.ts'
import { fold } from './session-state.ts'

/** A round whose first call of two was handed over; its result may come until 5000. */
const handedOver = (effect: EffectClass = 'unsafe', ...more: EventDraft[]): EventDraft[] => [
  roundStarted(),
  userSays('hello'),
  ...turnWithCalls(1, 'a', 'b'),
  started('a', effect),
  submitted('a'),
  ...more,
]
const roundAfter = (...given: EventDraft[]): Round => fold(givenLog(...given)).round as Round
const stepAfter = (given: readonly EventDraft[], now = 0): Step => nextStep(roundAfter(...given), now, 0)

const EFFECTS = { ok: 'done', error: 'none', unknown: 'unknown' } as const

function folding(given: readonly EventDraft[], outcome: keyof typeof EFFECTS = 'ok', at = 500): Folded {
  const effect = EFFECTS[outcome]
  const content = { outcome, effect, content: 'it came', own: true } as const
  const body = { kind: 'result', callId: 'a', by: 'owner', content } as const
  const input: Input = { id: 'i', sessionId: 's', key: 'k', at, body }
  return foldInput(fold(givenLog(...given)), input, new Map())
}

describe('a call that answers later', () => {
  verifies('LIN-2', 'waits, and later calls of its turn wait behind it', () => {
    expect(stepAfter(handedOver())).toEqual({ kind: 'wait', for: 'result', callIds: ['a'], until: 5000 })
    expect(stepAfter(handedOver(), 4999)).toMatchObject({ kind: 'wait' })
    expect(stepAfter([...handedOver(), result('a')])).toMatchObject({ kind: 'dispatch', calls: [{ callId: 'b' }] })
  })

  test('is told as a workflow if it is one', () => {
    const given = [roundStarted(), userSays('hello'), ...turnWithCalls(1, 'a'), started('a', 'keyed')]
    const step = stepAfter([...given, submitted('a', 5000, { kind: 'workflow' })])
    expect(step).toEqual({ kind: 'wait', for: 'workflow', callIds: ['a'], until: 5000 })
  })

  test('waits together with another one that ran beside it, until the first of them is overdue', () => {
    const both = handedOver('pure', started('b', 'pure'), submitted('b', 4000))
    expect(stepAfter(both)).toEqual({ kind: 'wait', for: 'result', callIds: ['a', 'b'], until: 4000 })
    expect(stepAfter(both, 4000)).toMatchObject({ kind: 'expire', calls: [{ callId: 'b' }] })
  })

  test('is looked at again when an approval behind it expires', () => {
    const asked = handedOver('unsafe', requested('b', { expiresAt: 3000 }))
    expect(stepAfter(asked)).toEqual({ kind: 'wait', for: 'result', callIds: ['a'], until: 3000 })
    expect(stepAfter(asked, 3000)).toMatchObject({ kind: 'expire', calls: [{ callId: 'b' }] })
    expect(stepAfter([...asked, decided('b', 'approve')])).toMatchObject({ kind: 'wait', until: 5000 })
  })

  verifies('GOV-7', 'is waited for only so long, and its effect is unknown then', () => {
    expect(stepAfter(handedOver(), 5000)).toMatchObject({ kind: 'expire', calls: [{ callId: 'a' }] })
    const overdue = (effect: EffectClass): unknown => overdueResult(roundAfter(...handedOver(effect)).calls[0]!).data
    expect(overdue('unsafe')).toMatchObject({ outcome: 'timeout', effect: 'unknown', own: true })
    expect(overdue('keyed')).toMatchObject({ outcome: 'timeout', effect: 'unknown' })
    expect(overdue('pure')).toMatchObject({ outcome: 'timeout', effect: 'none' })
  })

  verifies(['LIN-2', 'LIN-6'], 'is left alone by a new owner, whatever its effect class', () => {
    for (const effect of ['pure', 'keyed', 'verifiable', 'unsafe'] as const) {
      const given = handedOver(effect)
      const taken = takeOver(roundAfter(...given))
      expect(typesOf(taken)).toEqual(['round.resumed'])
      expect(answerLost(roundAfter(...given, ...taken))).toEqual([])
      expect(stepAfter([...given, ...taken])).toMatchObject({ kind: 'wait', for: 'result' })
    }
    expect(takeOver(roundAfter(...handedOver(), waiting('a')))).toEqual([])
  })

  test('is progress: takeovers before it do not count', () => {
    const again = [roundStarted(), userSays('hello'), ...turnWithCalls(1, 'a'), resumed('takeover', 2), started('a')]
    expect([roundAfter(...again).takeovers, roundAfter(...again, submitted('a')).takeovers]).toEqual([2, 0])
  })

  verifies(['LIN-2', 'REL-2'], 'is answered unknown by closing its round; a pure one is cancelled', () => {
    const closing = (effect: EffectClass): unknown =>
      close(roundAfter(...handedOver(effect), waiting('a')), 'cancelled').find(({ type }) => type === 'tool.result')
        ?.data
    expect(closing('unsafe')).toMatchObject({ callId: 'a', outcome: 'unknown', effect: 'unknown' })
    expect(closing('keyed')).toMatchObject({ callId: 'a', outcome: 'unknown', effect: 'unknown' })
    expect(closing('pure')).toMatchObject({ callId: 'a', outcome: 'cancelled', effect: 'none' })
  })
})

describe('its result', () => {
  verifies('LIN-2', 'is folded in while the call waits, with the time that took', () => {
    const given = handedOver('unsafe', waiting('a'))
    const { at } = givenLog(...given).find(({ type }) => type === 'tool.submitted')!
    expect(folding(given)).toEqual({
      events: [
        {
          type: 'tool.result',
          data: {
            callId: 'a',
            name: 'look',
            signature: 'sig-a',
            outcome: 'ok',
            effect: 'done',
            content: 'it came',
            own: true,
            durationMs: 500 - at,
            cost: 0,
          },
        },
      ],
    })
    expect(folding(handedOver('pure'))).toMatchObject({ events: [{ data: { effect: 'none' } }] })
    expect(folding(given, 'ok', 0)).toMatchObject({ events: [{ data: { durationMs: 0 } }] })
  })

  test('is taken as long as nobody has said that it is overdue', () => {
    expect(folding(handedOver('unsafe', waiting('a')), 'ok', 9000)).toMatchObject({ events: [{ type: 'tool.result' }] })
  })

  test('waits where it comes before the log knows that the call was handed over', () => {
    const calls = [roundStarted(), userSays('hello'), ...turnWithCalls(1, 'a')]
    expect(folding(calls)).toBe('keep')
    expect(folding([...calls, started('a')])).toBe('keep')
  })

  verifies(['LIN-2', 'REL-2'], 'settles a call whose effect is unknown', () => {
    const unknown = handedOver('unsafe', result('a', 'unknown', { effect: 'unknown' }), result('b', 'cancelled'))
    const settled = (happened: boolean): Folded => ({
      events: [
        { type: 'tool.reconciled', data: { callId: 'a', signature: 'sig-a', happened, by: 'owner', late: true } },
      ],
    })
    expect(folding([...unknown, roundEnded()])).toEqual(settled(true))
    expect(folding([...unknown, roundEnded()], 'error')).toEqual(settled(false))
    expect(folding(unknown)).toEqual(settled(true))
    expect(folding(unknown, 'unknown')).toEqual({ events: [], late: true })
  })

  test('is late for a call that has one, and for one that nobody made', () => {
    expect(folding(handedOver('unsafe', result('a')))).toEqual({ events: [], late: true })
    expect(folding([roundStarted(), userSays('hello')])).toEqual({ events: [], late: true })
    expect(folding([])).toEqual({ events: [], late: true })
  })
})
