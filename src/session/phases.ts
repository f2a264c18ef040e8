import { happened, type Happening, type PhaseEnd } from '../contract/event.ts'
import type { Round } from './round-state.ts'

/**
 * The phase changes that come before something happens in a triggered round; none in a unified one. The first turn
 * stands in a tool phase, every later turn in an action phase, every execution in a tool phase of its own.
 */
export function phaseChanges(round: Round, before: 'turn' | 'execution' | 'rest' | 'answer'): Happening[] {
  if (round.started.protocol !== 'triggered') return []
  const { phase } = round
  switch (before) {
    case 'turn':
      // A turn that starts again after a takeover stands in the phase it was started in.
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

function start(round: Round, phase: 'tool_phase' | 'action_phase'): Happening {
  const cycleIndex = Math.min(round.executions + 1, round.started.limits.maxCycles)
  return happened('phase.started', { phase, phaseIndex: round.phaseIndex + 1, cycleIndex })
}

export function endOf(round: Round, reason: PhaseEnd): Happening[] {
  return round.phase ? [happened('phase.ended', { phaseIndex: round.phase.phaseIndex, reason })] : []
}

const spent = (round: Round): PhaseEnd => (round.phase && round.phase.executions > 0 ? 'executed' : 'not_executed')
