import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import type { EffectClass } from '../contract/outcome.ts'
import {
  decided,
  givenLog,
  modelSays,
  requested,
  result,
  roundEnded as ended,
  roundStarted,
  started,
  text,
  turnEnded,
  turnStarted,
  turnWithCalls,
  typesOf,
  use,
  userSays,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { close, roundEnded } from './close.ts'
import type { Round } from './round-state.ts'
import { fold } from './session-state.ts'

const hello = [roundStarted(), userSays('hello')]
const roundAfter = (...drafts: EventDraft[]): Round | null => fold(givenLog(...drafts)).round
const closing = (...drafts: EventDraft[]): EventDraft[] => close(roundAfter(...drafts), 'cancelled')
const resultsIn = (drafts: readonly EventDraft[]): [string, string, string][] =>
  drafts.flatMap(({ type, data }) =>
    type === 'tool.result' ? [[data.callId, data.outcome, data.effect] as [string, string, string]] : [],
  )

test('closing nothing, or a round that has ended, does nothing', () => {
  expect(close(null, 'cancelled')).toEqual([])
  expect(closing(...hello, ended())).toEqual([])
})

test('closing a round that has just begun only ends it', () => {
  expect(typesOf(closing(...hello))).toEqual(['round.ended'])
})

describe('every open call gets its result', () => {
  verifies('LIN-6', 'cancelled where it was not started, whatever became of it so far', () => {
    const used = [...hello, turnStarted(1), modelSays(1, [use('a')]), turnEnded(1, 'tool_use')]
    expect(typesOf(closing(...used))).toEqual(['tool.call', 'tool.result', 'round.ended'])
    const calls = [...hello, ...turnWithCalls(1, 'a')]
    for (const more of [[], [requested('a'), decided('a', 'approve')], [requested('a'), decided('a', 'deny')]]) {
      const events = closing(...calls, ...more)
      expect(typesOf(events)).toEqual(['tool.result', 'round.ended'])
      expect(resultsIn(events)).toEqual([['a', 'cancelled', 'none']])
    }
  })

  verifies('REL-2', 'unknown where it was started and may have had an effect', () => {
    const outcome = (effect: EffectClass): unknown =>
      resultsIn(closing(...hello, ...turnWithCalls(1, 'a'), started('a', effect)))[0]
    expect(outcome('unsafe')).toEqual(['a', 'unknown', 'unknown'])
    expect(outcome('keyed')).toEqual(['a', 'unknown', 'unknown'])
    expect(outcome('verifiable')).toEqual(['a', 'unknown', 'unknown'])
    expect(outcome('pure')).toEqual(['a', 'cancelled', 'none'])
  })

  test('in the order asked, and those that have one are left alone', () => {
    const events = closing(...hello, ...turnWithCalls(1, 'a', 'b', 'c'), result('a'), started('b'))
    expect(resultsIn(events)).toEqual([
      ['b', 'unknown', 'unknown'],
      ['c', 'cancelled', 'none'],
    ])
  })

  test('and what a person was asked about is settled', () => {
    const events = closing(...hello, ...turnWithCalls(1, 'a'), requested('a'))
    expect(typesOf(events)).toEqual(['approval.decided', 'tool.result', 'round.ended'])
    expect(events[0]?.data).toMatchObject({ approvalId: 'approval-a', decision: 'stale', by: 'system' })
  })
})

describe('what is open is ended', () => {
  test('the turn', () => {
    const events = closing(...hello, turnStarted(1))
    expect(typesOf(events)).toEqual(['turn.ended', 'round.ended'])
    expect(events[0]?.data).toMatchObject({ turn: 1, stopReason: 'cancelled' })
  })

  test('the phase', () => {
    const phase = draftEvent('phase.started', { phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 })
    const events = closing(roundStarted({ protocol: 'triggered' }), userSays('hello'), phase, turnStarted(1))
    expect(typesOf(events)).toEqual(['turn.ended', 'phase.ended', 'round.ended'])
    expect(events[1]?.data).toEqual({ phaseIndex: 1, reason: 'closed' })
  })
})

describe('a text that says why', () => {
  test('becomes the answer, marked as Segno’s own', () => {
    const events = close(roundAfter(...hello), 'timeout', { text: '(Stopped.)', error: 'too slow' })
    expect(events[0]?.data).toMatchObject({ content: [text('(Stopped.)')], final: true, own: true })
    expect(events[1]?.data).toMatchObject({ finishReason: 'timeout', error: 'too slow' })
  })

  test('is not added to an answer that is there', () => {
    const answered = [...hello, turnStarted(1), modelSays(1, [text('hi')])]
    expect(typesOf(close(roundAfter(...answered), 'cancelled', { text: '(Stopped.)' }))).toEqual([
      'turn.ended',
      'round.ended',
    ])
  })
})

test('the end of a round sums up usage, cost and the calls that were not taken', () => {
  const cost = result('a', 'ok', { cost: 7 })
  const turn = draftEvent('turn.ended', {
    turn: 2,
    stopReason: 'end_turn',
    usage: { input: 1, output: 2, estimated: true },
    durationMs: 1,
    ignoredCalls: 3,
  })
  const round = roundAfter(...hello, ...turnWithCalls(1, 'a'), cost, turnStarted(2), turn) as Round
  expect(roundEnded(round, 'complete').data).toEqual({
    finishReason: 'complete',
    usage: { input: 11, output: 7, estimated: true },
    cost: 7,
    ignoredCalls: 3,
  })
})
