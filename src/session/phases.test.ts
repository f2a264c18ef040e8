import { describe, expect } from 'vitest'
import type { EventDraft, PhaseEnd } from '../contract/event.ts'
import { draftEvent } from '../contract/event.ts'
import type { PhaseName } from '../contract/outcome.ts'
import {
  givenLog,
  modelSays,
  result,
  roundStarted,
  started,
  turnEnded,
  turnStarted,
  use,
  userSays,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { phaseChanges } from './phases.ts'
import type { Round } from './round-state.ts'
import { fold } from './session-state.ts'

const triggered = [roundStarted({ protocol: 'triggered' }), userSays('hello')]
const phase = (name: PhaseName, phaseIndex: number, cycleIndex = 1): EventDraft =>
  draftEvent('phase.started', { phase: name, phaseIndex, cycleIndex })
const over = (phaseIndex: number, reason: PhaseEnd): EventDraft => draftEvent('phase.ended', { phaseIndex, reason })

/** A turn that asks for one call. */
const turn = (at: number, callId: string): EventDraft[] => [
  turnStarted(at),
  modelSays(at, [use(callId)]),
  turnEnded(at, 'tool_use'),
]
const executed = (callId: string): EventDraft[] => [started(callId, 'pure'), result(callId)]

function before(what: Parameters<typeof phaseChanges>[1], ...drafts: EventDraft[]): EventDraft[] {
  return phaseChanges(fold(givenLog(...drafts)).round as Round, what)
}

describe('a triggered round', () => {
  const first = [...triggered, phase('tool_phase', 1)]

  verifies('PHA-2', 'opens phase 1, a tool phase, with turn 1', () => {
    expect(before('turn', ...triggered)).toEqual([phase('tool_phase', 1)])
  })

  verifies('PHA-2', 'stays in it when turn 1 starts again after a takeover', () => {
    expect(before('turn', ...first, turnStarted(1))).toEqual([])
  })

  verifies('PHA-2', 'executes the call of turn 1 in phase 1', () => {
    expect(before('execution', ...first, ...turn(1, 'a'))).toEqual([])
  })

  verifies('PHA-2', 'ends the tool phase and opens an action phase for the next turn', () => {
    const ran = [...first, ...turn(1, 'a'), ...executed('a')]
    expect(before('turn', ...ran)).toEqual([over(1, 'executed'), phase('action_phase', 2, 2)])
  })

  verifies('PHA-2', 'says when the call of phase 1 was not executed', () => {
    const refused = [...first, ...turn(1, 'a'), result('a', 'refused', { code: 'INVALID' })]
    expect(before('turn', ...refused)).toEqual([over(1, 'not_executed'), phase('action_phase', 2, 1)])
  })

  const second = [...first, ...turn(1, 'a'), ...executed('a'), over(1, 'executed'), phase('action_phase', 2, 2)]

  verifies('PHA-2', 'goes on in the same action phase when its call is not executed', () => {
    expect(before('turn', ...second, ...turn(2, 'b'), result('b', 'refused', { code: 'DUPLICATE' }))).toEqual([])
  })

  verifies('PHA-2', 'opens a tool phase of its own for an allowed call of an action phase', () => {
    const allowed = before('execution', ...second, ...turn(2, 'b'))
    expect(allowed).toEqual([over(2, 'allowed'), phase('tool_phase', 3, 2)])
  })

  verifies('PHA-2', 'never executes two calls in one tool phase', () => {
    const twice = before('execution', ...first, ...turn(1, 'a'), ...executed('a'))
    expect(twice).toEqual([over(1, 'allowed'), phase('tool_phase', 2, 2)])
  })

  verifies('PHA-2', 'ends the open phase with the answer', () => {
    expect(before('answer', ...second, turnStarted(2))).toEqual([over(2, 'answered')])
    expect(before('answer', ...triggered)).toEqual([])
  })

  verifies('PHA-2', 'ends a tool phase before it is paused and opens the next one when it goes on', () => {
    const ran = [...first, ...turn(1, 'a'), ...executed('a')]
    expect(before('rest', ...ran)).toEqual([over(1, 'executed')])
    expect(before('turn', ...ran, over(1, 'executed'))).toEqual([phase('action_phase', 2, 2)])
    expect(before('rest', ...second, ...turn(2, 'b'), result('b', 'refused'))).toEqual([])
  })

  verifies('PHA-2', 'counts cycles from 1 to the most there may be', () => {
    const limited = [roundStarted({ protocol: 'triggered', limits: { maxCycles: 1 } }), userSays('hello')]
    const ran = [...limited, phase('tool_phase', 1), ...turn(1, 'a'), ...executed('a')]
    expect(before('turn', ...ran)).toEqual([over(1, 'executed'), phase('action_phase', 2, 1)])
  })
})

verifies('PHA-2', 'a unified round has no phases', () => {
  const unified = [roundStarted(), userSays('hello')]
  for (const what of ['turn', 'execution', 'rest', 'answer'] as const) expect(before(what, ...unified)).toEqual([])
})
