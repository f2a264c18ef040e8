import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import type { EffectClass } from '../contract/outcome.ts'
import {
  decided,
  asked,
  givenLog,
  paused,
  requested,
  result,
  resumed,
  roundEnded,
  roundStarted,
  started,
  turnStarted,
  turnWithCalls,
  typesOf,
  userSays,
  waiting,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { nextStep } from './next-step.ts'
import { answerLost, isHopeless, isSuspect, MAX_TAKEOVERS, takeOver } from './recover.ts'
import type { Round } from './round-state.ts'
import { fold } from './session-state.ts'

const hello = [roundStarted(), userSays('hello')]

/** What a new owner appends where nothing came from outside. */
function recovering(...drafts: EventDraft[]): EventDraft[] {
  const first = takeOver(fold(givenLog(...drafts)).round)
  return [...first, ...answerLost(fold(givenLog(...drafts, ...first)).round)]
}

/** What a new owner does after it has appended what `recover` says. */
function stepAfter(...drafts: EventDraft[]): string {
  const { round } = fold(givenLog(...drafts, ...recovering(...drafts)))
  return nextStep(round as Round, 0, 0).kind
}

describe('nothing is to be done', () => {
  test.each<[string, EventDraft[]]>([
    ['without a round', []],
    ['after its end', [...hello, roundEnded()]],
    ['while it waits for a person', [...hello, ...turnWithCalls(1, 'a'), requested('a'), waiting('a')]],
    ['while it is paused', [...hello, ...turnWithCalls(1, 'a'), asked('pause'), result('a'), paused()]],
  ])('%s', (_, given) => {
    expect(recovering(...given)).toEqual([])
  })
})

describe('a running round is taken over', () => {
  verifies(['REL-4', 'LIN-6'], 'and an open turn starts again under its number', () => {
    const [event] = recovering(...hello, turnStarted(1))
    expect(event?.data).toEqual({ n: 1, turn: 1, reason: 'takeover' })
    expect(stepAfter(...hello, turnStarted(1))).toBe('call-model')
  })

  test('and between two turns the next one is named', () => {
    const [event] = recovering(...hello, ...turnWithCalls(1, 'a'), result('a'))
    expect(event?.data).toMatchObject({ turn: 2 })
  })

  verifies('REL-2', 'and only unsafe calls that were started are answered, as unknown', () => {
    const calls = [...hello, ...turnWithCalls(1, 'a')]
    const unsafe = recovering(...calls, started('a', 'unsafe'))
    expect(typesOf(unsafe)).toEqual(['round.resumed', 'tool.result'])
    expect(unsafe[1]?.data).toMatchObject({ callId: 'a', outcome: 'unknown', effect: 'unknown' })
    for (const effect of ['pure', 'keyed', 'verifiable'] as const) {
      expect(typesOf(recovering(...calls, started('a', effect)))).toEqual(['round.resumed'])
    }
  })

  verifies('LIN-6', 'and the rest is left to the ordinary next step', () => {
    const calls = [...hello, ...turnWithCalls(1, 'a', 'b')]
    expect(stepAfter(...calls)).toBe('dispatch')
    expect(stepAfter(...calls, started('a', 'unsafe'))).toBe('dispatch')
    expect(stepAfter(...calls, started('a', 'keyed'))).toBe('rerun')
    expect(stepAfter(...calls, started('a', 'verifiable'))).toBe('verify')
    expect(stepAfter(...calls, requested('a'))).toBe('wait')
    expect(stepAfter(...hello, ...turnWithCalls(1, 'a'), started('a', 'unsafe'))).toBe('call-model')
    expect(stepAfter(...hello, asked('cancel'))).toBe('give-up')
  })
})

describe('an owner that did not say goodbye', () => {
  const begun = (effect: EffectClass) => [...hello, ...turnWithCalls(1, 'a', 'b'), started('a', effect)]
  const evict = (given: EventDraft[]) => takeOver(fold(givenLog(...given)).round, given.length)
  const callsOf = (...given: EventDraft[]) => (fold(givenLog(...given)).round as Round).calls

  verifies('REL-2', 'leaves calls in doubt that it had started, and no others', () => {
    const given = begun('verifiable')
    const [event] = evict(given)
    expect(event?.data).toEqual({ n: 1, turn: 2, reason: 'takeover', evicted: true })
    expect(callsOf(...given, event as EventDraft).map(({ isDoubtful }) => isDoubtful)).toEqual([true, false])
  })

  verifies('REL-2', 'leaves them in doubt for whoever takes over after the next one, which did', () => {
    const given = begun('verifiable')
    const taken = [...given, ...evict(given)]
    // Of the eviction the next owner is told again; it stands in the log already.
    const [event] = takeOver(fold(givenLog(...taken)).round, given.length)
    expect(event?.data).toEqual({ n: 2, turn: 2, reason: 'takeover' })
    expect(callsOf(...taken, event as EventDraft)[0]?.isDoubtful).toBe(true)
  })

  verifies('REL-2', 'is still told of by one that came when the one between them stored nothing of it', () => {
    const given = begun('verifiable')
    const renamed = draftEvent('session.changed', { title: 'other' })
    const [event] = takeOver(fold(givenLog(...given, renamed)).round, given.length)
    expect(event?.data).toMatchObject({ evicted: true })
  })

  test('is nothing to a round that began after it was gone', () => {
    const [event] = takeOver(fold(givenLog(...begun('verifiable'))).round, 0)
    expect(event?.data).not.toHaveProperty('evicted')
  })

  verifies('REL-2', 'changes nothing for what may run again, or may not', () => {
    const step = (effect: EffectClass) => {
      const given = begun(effect)
      const after = [...given, ...evict(given)]
      const { round } = fold(givenLog(...after, ...answerLost(fold(givenLog(...after)).round)))
      return [nextStep(round as Round, 0, 0).kind, round?.calls[0]?.result?.outcome]
    }
    expect((['pure', 'keyed', 'verifiable', 'unsafe'] as const).map(step)).toEqual([
      ['rerun', undefined],
      ['rerun', undefined],
      ['verify', undefined],
      ['dispatch', 'unknown'],
    ])
  })
})

describe('takeovers', () => {
  const taken = (times: number): EventDraft[] => Array.from({ length: times }, (_, at) => resumed('takeover', at + 1))

  verifies('REL-4', 'are counted, and after three without progress the round is given up', () => {
    const numbers = [0, 1, 2].map((times) => recovering(...hello, turnStarted(1), ...taken(times))[0]?.data)
    expect(numbers).toMatchObject([{ n: 1 }, { n: 2 }, { n: MAX_TAKEOVERS }])
    const last = recovering(...hello, turnStarted(1), ...taken(MAX_TAKEOVERS))
    expect(typesOf(last)).toEqual(['turn.ended', 'message.assistant', 'round.ended'])
    expect(last[2]?.data).toMatchObject({ finishReason: 'error', error: expect.stringContaining('gave up') as string })
  })

  test.each<[string, EventDraft[]]>([
    ['a stored answer', turnWithCalls(1, 'b')],
    ['a result', [...turnWithCalls(1, 'b'), ...taken(3), result('b')]],
    ['a decision', [...turnWithCalls(1, 'b'), requested('b'), ...taken(3), decided('b', 'approve')]],
  ])('begin again after %s', (_, progress) => {
    expect(recovering(...hello, turnStarted(1), ...taken(3), ...progress)[0]?.data).toMatchObject({ n: 1 })
  })

  test('do not begin again because a question of a call that died was withdrawn', () => {
    const asking = [...hello, ...turnWithCalls(1, 'a'), started('a', 'keyed'), ...taken(2)]
    const withdrawn = [...asking, requested('a'), decided('a', 'stale')]
    expect(recovering(...withdrawn)[0]?.data).toMatchObject({ n: 3 })
  })

  test('do not begin again because a call was given up as unknown', () => {
    const stuck = [...hello, ...turnWithCalls(1, 'a', 'b'), ...taken(2), started('a'), result('a', 'unknown')]
    expect(recovering(...stuck)[0]?.data).toMatchObject({ n: 3 })
  })

  test('do not count what a person resumes', () => {
    const resumes = [...hello, ...turnWithCalls(1, 'a'), asked('pause'), result('a'), paused(), resumed('resume')]
    expect(recovering(...resumes)[0]?.data).toMatchObject({ n: 1 })
  })

  verifies('REL-4', 'twice without progress make a round suspect, and three hopeless', () => {
    const after = (times: number) => fold(givenLog(...hello, turnStarted(1), ...taken(times))).round as Round
    expect([0, 1, 2, 3].map((times) => isSuspect(after(times)))).toEqual([false, false, true, true])
    expect([0, 1, 2, 3].map((times) => isHopeless(after(times)))).toEqual([false, false, false, true])
  })
})

describe('what came from outside stands before what is answered', () => {
  const asking = [
    ...hello,
    ...turnWithCalls(1, 'a', 'b'),
    started('a', 'keyed'),
    requested('a', { question: { message: '?' } }),
  ]

  test('and an answer to a question keeps it from being withdrawn', () => {
    const answer = decided('a', 'approve')
    expect(typesOf(answerLost(fold(givenLog(...asking, resumed('takeover', 1))).round))).toEqual(['approval.decided'])
    expect(answerLost(fold(givenLog(...asking, resumed('takeover', 1), answer)).round)).toEqual([])
  })
})
