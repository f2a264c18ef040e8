import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import {
  asked,
  decided,
  givenLog,
  modelSays,
  paused,
  requested,
  result,
  resumed,
  roundStarted,
  started,
  text,
  turnEnded,
  turnStarted,
  turnWithCalls,
  use,
  userSays,
  waiting,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { nextStep, type Step } from './next-step.ts'
import { fold } from './session-state.ts'

const hello = [roundStarted(), userSays('hello')]

/** The step as one line: what is done, and with which turn, calls or reason. */
function stepAfter(drafts: readonly EventDraft[], now?: number): string {
  const { round } = fold(givenLog(...drafts))
  if (!round) throw new Error('there is no open round')
  return spell(nextStep(round, now ?? round.lastAt, now === undefined ? 0 : now - round.lastAt))
}

function spell(step: Step): string {
  switch (step.kind) {
    case 'call-model':
      return `call-model ${step.turn}${step.last ? ` last, ${step.last}` : ''}`
    case 'dispatch':
    case 'expire':
      return `${step.kind} ${step.calls.map((call) => call.callId).join(' ')}`
    case 'rerun':
    case 'verify':
      return `${step.kind} ${step.call.callId}`
    case 'wait':
      return `wait ${step.callIds.join(' ')} until ${step.until}`
    case 'finish':
    case 'give-up':
      return `${step.kind} ${step.finishReason}`
    case 'pause':
    case 'rest':
      return step.kind
  }
}

describe('a round goes on', () => {
  test.each<[string, EventDraft[], string]>([
    ['calls the model first', hello, 'call-model 1'],
    ['starts an open turn again under its number', [...hello, turnStarted(1)], 'call-model 1'],
    ['judges what the model asked for', [...hello, ...turnWithCalls(1, 'a', 'b')], 'dispatch a b'],
    [
      'judges a use that is not even recorded',
      [...hello, turnStarted(1), modelSays(1, [use('a')]), turnEnded(1, 'tool_use')],
      'dispatch a',
    ],
    ['goes on with the next call', [...hello, ...turnWithCalls(1, 'a', 'b'), result('a')], 'dispatch b'],
    ['calls the model with the results', [...hello, ...turnWithCalls(1, 'a'), result('a')], 'call-model 2'],
    [
      'finishes with an answer',
      [...hello, turnStarted(1), modelSays(1, [text('hi')]), turnEnded(1)],
      'finish complete',
    ],
    [
      'says so when the answer was cut off',
      [...hello, turnStarted(1), modelSays(1, [text('hi')], { stopReason: 'max_tokens' }), turnEnded(1, 'max_tokens')],
      'finish max_tokens',
    ],
    ['gives up after a failed turn', [...hello, turnStarted(1), turnEnded(1, 'error')], 'give-up error'],
    [
      'gives up after a turn that took too long',
      [...hello, turnStarted(1), turnEnded(1, 'timeout')],
      'give-up timeout',
    ],
    ['gives up after a stopped turn', [...hello, turnStarted(1), turnEnded(1, 'cancelled')], 'give-up cancelled'],
  ])('and %s', (_, given, then) => {
    expect(stepAfter(given)).toBe(then)
  })
})

describe('a started call', () => {
  const running = [...hello, ...turnWithCalls(1, 'a')]
  verifies('LIN-6', 'runs again when its class allows, is looked up when it can be', () => {
    expect(stepAfter([...running, started('a', 'pure')])).toBe('rerun a')
    expect(stepAfter([...running, started('a', 'keyed')])).toBe('rerun a')
    expect(stepAfter([...running, started('a', 'verifiable')])).toBe('verify a')
  })

  verifies('REL-2', 'has no next step of its own when it is unsafe: recover must answer it', () => {
    expect(() => stepAfter([...running, started('a', 'unsafe')])).toThrow('recover answers it')
  })
})

describe('a call that waits for a person', () => {
  const waits = [...hello, ...turnWithCalls(1, 'a', 'b'), requested('a'), requested('b', { expiresAt: 4000 })]
  test.each<[string, EventDraft[], number, string]>([
    ['waits with all others until the first expires', waits, 0, 'wait a b until 4000'],
    ['goes on waiting while it rests', [...waits, waiting('a', 'b')], 100, 'wait a b until 4000'],
    ['expires alone when its time is over', waits, 4000, 'expire b'],
    ['expires with the others', waits, 5000, 'expire a b'],
    ['is judged again once approved', [...waits, decided('a', 'approve')], 0, 'dispatch a b'],
    ['is answered once denied', [...waits, decided('a', 'deny')], 0, 'dispatch a b'],
    ['keeps its place when a later one is decided first', [...waits, decided('b', 'approve')], 0, 'wait a until 5000'],
    ['is asked about anew when what was approved has changed', [...waits, decided('a', 'stale')], 0, 'dispatch a b'],
    ['does not listen to a decision about something else', [...waits, other('a')], 0, 'wait a b until 4000'],
  ])('%s', (_, given, now, then) => {
    expect(stepAfter(given, now)).toBe(then)
  })

  function other(callId: string): EventDraft {
    return decided(callId, 'approve', { approvalId: 'another approval' })
  }
})

describe('a pause', () => {
  const running = [...hello, ...turnWithCalls(1, 'a', 'b')]
  test.each<[string, EventDraft[], string]>([
    ['waits for the next stored result', [...hello, asked('pause')], 'call-model 1'],
    ['waits until no call is owed', [...running, asked('pause'), result('a')], 'dispatch b'],
    ['takes effect then', [...running, asked('pause'), result('a'), result('b')], 'pause'],
    ['is not taken by results from before', [...running, result('a'), result('b'), asked('pause')], 'call-model 2'],
    ['rests', [...running, asked('pause'), result('a'), result('b'), paused()], 'rest'],
    [
      'ends when it is resumed, and is not asked for again',
      [...running, asked('pause'), result('a'), result('b'), paused(), resumed('resume')],
      'call-model 2',
    ],
    [
      'never comes when the round ends first',
      [...hello, asked('pause'), turnStarted(1), modelSays(1, [text('hi')]), turnEnded(1)],
      'finish complete',
    ],
  ])('%s', (_, given, then) => {
    expect(stepAfter(given)).toBe(then)
  })
})

describe('cancelling', () => {
  test.each<[string, EventDraft[]]>([
    ['before the first turn', [...hello, asked('cancel')]],
    ['by a newer message', [...hello, asked('interrupt')]],
    ['in a turn', [...hello, turnStarted(1), asked('cancel')]],
    ['with a call that was started', [...hello, ...turnWithCalls(1, 'a'), started('a'), asked('cancel')]],
    ['while waiting', [...hello, ...turnWithCalls(1, 'a'), requested('a'), waiting('a'), asked('cancel')]],
    ['while paused', [...hello, ...turnWithCalls(1, 'a'), asked('pause'), result('a'), paused(), asked('cancel')]],
    ['with the answer already there', [...hello, turnStarted(1), modelSays(1, [text('hi')]), asked('cancel')]],
  ])('ends the round %s', (_, given) => {
    expect(stepAfter(given)).toBe('give-up cancelled')
  })
})

describe('driving time', () => {
  const limited = [roundStarted({ limits: { totalMs: 1000 } }), userSays('hello')]
  verifies('GOV-7', 'is what passes while the round is driven, and ends it', () => {
    expect(stepAfter(limited, 1000)).toBe('call-model 1')
    expect(stepAfter(limited, 1010)).toBe('give-up timeout')
    expect(stepAfter([...limited, turnStarted(1)], 1010)).toBe('give-up timeout')
  })

  verifies('GOV-7', 'does not pass while a round waits, is paused, or nobody runs it', () => {
    const rests = [...limited, ...turnWithCalls(1, 'a'), requested('a', { expiresAt: 1e9 }), waiting('a')]
    expect(stepAfter(rests, 900_000)).toBe('wait a until 1000000000')
    const events = givenLog(...rests, decided('a', 'approve'), resumed('decided'))
    const late = events.map((event, at) => (at < events.length - 2 ? event : { ...event, at: 500_000 }))
    expect(spell(nextStep(fold(late).round as never, 500_100, 100))).toBe('dispatch a')
    const down = givenLog(...limited, turnStarted(1), resumed('takeover', 1))
    const takenOver = down.map((event, at) => (at < 3 ? event : { ...event, at: 700_000 }))
    expect(spell(nextStep(fold(takenOver).round as never, 700_100, 100))).toBe('call-model 1')
    expect(spell(nextStep(fold(takenOver).round as never, 701_000, 1_000))).toBe('give-up timeout')
  })

  test('does not take an answer back', () => {
    expect(stepAfter([...limited, turnStarted(1), modelSays(1, [text('hi')]), turnEnded(1)], 9000)).toBe(
      'finish complete',
    )
  })
})

describe('the limits of a unified round', () => {
  const turns = (count: number): EventDraft[] =>
    Array.from({ length: count }, (_, at) => [...turnWithCalls(at + 1, `c${at}`), result(`c${at}`)]).flat()
  const executed = (id: string): EventDraft[] => [started(id, 'pure'), result(id)]

  verifies(['GOV-7', 'PHA-6'], 'leave one last call after the turns that may use tools', () => {
    const round = [roundStarted({ limits: { maxIterations: 2 } }), userSays('hello')]
    expect(stepAfter([...round, ...turns(1)])).toBe('call-model 2')
    expect(stepAfter([...round, ...turns(2)])).toBe('call-model 3 last, iteration_limit')
    expect(stepAfter([roundStarted({ limits: { maxIterations: 0 } }), userSays('hello')])).toBe(
      'call-model 1 last, iteration_limit',
    )
  })

  verifies(['GOV-7', 'PHA-6'], 'leave one last call after the calls that may be carried out', () => {
    const round = [roundStarted({ limits: { maxToolCalls: 2 } }), userSays('hello')]
    const both = [...round, ...turnWithCalls(1, 'a', 'b'), ...executed('a'), ...executed('b')]
    expect(stepAfter([...round, ...turnWithCalls(1, 'a'), ...executed('a')])).toBe('call-model 2')
    expect(stepAfter(both)).toBe('call-model 2 last, tool_limit')
  })

  verifies('GOV-18', 'do not count calls that remember, nor turns with nothing else', () => {
    const round = [roundStarted({ limits: { maxIterations: 1, maxToolCalls: 1 } }), userSays('hello')]
    const noted = (id: string): EventDraft[] => [
      draftEvent('tool.started', { callId: id, idempotencyKey: id, effect: 'keyed', reserved: 0, remembers: true }),
      result(id),
    ]
    const notes = [...turnWithCalls(1, 'a'), ...noted('a'), ...turnWithCalls(2, 'b', 'c'), ...noted('b'), ...noted('c')]
    expect(stepAfter([...round, ...notes])).toBe('call-model 3')
    const works = [...turnWithCalls(3, 'd', 'e'), ...noted('d'), ...executed('e')]
    expect(stepAfter([...round, ...notes, ...works])).toBe('call-model 4 last, tool_limit')
    const refused = [...turnWithCalls(3, 'd'), result('d', 'refused', { code: 'LIMIT' })]
    expect(stepAfter([...round, ...notes, ...refused])).toBe('call-model 4 last, iteration_limit')
  })

  verifies('PHA-5', 'do not count fruitless attempts', () => {
    const round = [roundStarted({ limits: { maxFruitless: 1 } }), userSays('hello')]
    const refused = ['a', 'b', 'c'].map((id) => result(id, 'refused', { code: 'INVALID' }))
    expect(stepAfter([...round, ...turnWithCalls(1, 'a', 'b', 'c'), ...refused])).toBe('call-model 2')
  })
})

describe('the limits of a triggered round', () => {
  const round = (limits = {}): EventDraft[] => [roundStarted({ protocol: 'triggered', limits }), userSays('hello')]
  const cycle = (at: number): EventDraft[] => [
    ...turnWithCalls(at, `c${at}`),
    started(`c${at}`, 'pure'),
    result(`c${at}`),
  ]
  const fruitless = (at: number, outcome: 'refused' | 'denied'): EventDraft[] => [
    ...turnWithCalls(at, `f${at}`),
    result(`f${at}`, outcome),
  ]

  verifies('PHA-6', 'are three executions, then one last call', () => {
    expect(stepAfter([...round(), ...cycle(1), ...cycle(2)])).toBe('call-model 3')
    expect(stepAfter([...round(), ...cycle(1), ...cycle(2), ...cycle(3)])).toBe('call-model 4 last, tool_limit')
  })

  verifies('PHA-6', 'are never more than the calls any round may carry out', () => {
    expect(stepAfter([...round({ maxToolCalls: 1 }), ...cycle(1)])).toBe('call-model 2 last, tool_limit')
  })

  verifies('PHA-5', 'are three attempts that execute nothing, then one last call', () => {
    const two = [...round(), ...fruitless(1, 'refused'), ...fruitless(2, 'denied')]
    expect(stepAfter(two)).toBe('call-model 3')
    expect(stepAfter([...two, ...fruitless(3, 'refused')])).toBe('call-model 4 last, iteration_limit')
    expect(stepAfter([...two, ...cycle(3)])).toBe('call-model 4')
  })

  test('have nothing to do with the turns of a unified one', () => {
    expect(stepAfter([...round({ maxIterations: 1 }), ...cycle(1), ...cycle(2)])).toBe('call-model 3')
  })
})

describe('the last call', () => {
  const limited = [roundStarted({ limits: { maxIterations: 0 } }), userSays('hello')]
  test('stays the last when it is started again', () => {
    const notice = { type: 'notice', data: { text: 'Tool budget reached', reason: 'iteration_limit' } } as const
    expect(stepAfter([...limited, notice, turnStarted(1, true)])).toBe('call-model 1 last, iteration_limit')
  })

  test('gives its reason to the round', () => {
    const notice = { type: 'notice', data: { text: 'Tool budget reached', reason: 'iteration_limit' } } as const
    const answered = [...limited, notice, turnStarted(1, true), modelSays(1, [text('hi')]), turnEnded(1)]
    expect(stepAfter(answered)).toBe('finish iteration_limit')
  })
})
