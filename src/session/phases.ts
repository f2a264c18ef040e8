import { draftEvent, type EventDraft, type PhaseEnd } from '../contract/event.ts'
import type { Round } from './round-state.ts'

/**
 * The phase changes of a triggered round: the first turn is in a tool phase, later turns in an action phase, every
 * execution in its own tool phase.
 */
export function phaseChanges(round: Round, before: 'turn' | 'execution' | 'rest' | 'answer'): EventDraft[] {
  if (round.started.protocol !== 'triggered') return []
  const { phase } = round
  switch (before) {
    case 'turn':
      // After a takeover the open turn stays in its phase.
      if (round.openTurn) return []
      if (round.turn === 0) return phase ? [] : [start(round, 'tool_phase')]
      if (phase?.phase === 'action_phase') return []
      return [...endOf(round, spent(round)), start(round, 'action_phase')]
    case 'execution':
      if (phase?.phase === 'tool_phase' && phase.executions === 0) return []
      return [...endOf(round, 'allowed'), start(round, 'tool_phase')]
    case 'rest':
      return phase?.phase === 'tool_phase' ? endOf(round, spent(round)) : []
    case 'answer':
      return endOf(round, 'answered')
  }
}

function start(round: Round, phase: 'tool_phase' | 'action_phase'): EventDraft {
  const cycleIndex = Math.min(round.executions + 1, round.started.limits.maxCycles)
  return draftEvent('phase.started', { phase, phaseIndex: round.phaseIndex + 1, cycleIndex })
}

export function endOf(round: Round, reason: PhaseEnd): EventDraft[] {
  return round.phase ? [draftEvent('phase.ended', { phaseIndex: round.phase.phaseIndex, reason })] : []
}

const spent = (round: Round): PhaseEnd => (round.phase && round.phase.executions > 0 ? 'executed' : 'not_executed')
