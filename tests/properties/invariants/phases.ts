import type { EventOf } from '../../../src/contract/event.ts'
import { ofType, type RoundLog } from './round-logs.ts'

interface OpenPhase {
  readonly phase: EventOf<'phase.started'>['data']
  executions: number
  turns: number
}

/** PHA-2, read from the log alone. */
export function phaseFaults({ events, started, ended, closedByFork }: RoundLog): string[] {
  if (started.protocol === 'unified') {
    return events.some(({ type }) => type === 'phase.started' || type === 'phase.ended') ? ['unified has phases'] : []
  }
  const faults: string[] = []
  const { maxCycles } = started.limits
  let open: OpenPhase | null = null
  let index = 0
  let executions = 0
  for (const event of events) {
    switch (event.type) {
      case 'phase.started': {
        if (open) faults.push(`phase ${event.data.phaseIndex} begins while another is open`)
        if (event.data.phaseIndex !== ++index) faults.push(`phase ${index} is numbered ${event.data.phaseIndex}`)
        const expected = index % 2 === 1 ? 'tool_phase' : 'action_phase'
        if (event.data.phase !== expected) faults.push(`phase ${index} is ${event.data.phase}`)
        const cycle = Math.min(executions + 1, maxCycles)
        if (event.data.cycleIndex !== cycle)
          faults.push(`phase ${index} has cycle ${event.data.cycleIndex}, not ${cycle}`)
        open = { phase: event.data, executions: 0, turns: 0 }
        break
      }
      case 'phase.ended':
        if (event.data.phaseIndex !== open?.phase.phaseIndex) faults.push('a phase ends that is not open')
        if (open) faults.push(...endFaults(open, event.data.reason))
        open = null
        break
      case 'turn.started':
        if (!open) faults.push(`turn ${event.data.turn} begins outside a phase`)
        else if (event.data.turn === 1 && index !== 1) faults.push('turn 1 does not stand in phase 1')
        else if (event.data.turn > 1 && open.phase.phase !== 'action_phase') {
          faults.push(`turn ${event.data.turn} does not stand in an action phase`)
        }
        if (open) open.turns += 1
        break
      case 'message.assistant':
        if (event.data.turn === 1 && !event.data.own && index !== 1) faults.push('turn 1 was said outside phase 1')
        break
      case 'tool.started':
        executions += 1
        if (open?.phase.phase !== 'tool_phase') faults.push('a call is executed outside a tool phase')
        if (open) open.executions += 1
        break
      default:
        break
    }
  }
  if (ended && open) faults.push('a round ends with an open phase')
  if (ended?.data.finishReason === 'complete' && !closedByFork) {
    if (ofType(events, 'phase.ended').at(-1)?.data.reason !== 'answered')
      faults.push('the answer does not end the phase')
  }
  return faults
}

function endFaults({ phase, executions, turns }: OpenPhase, reason: string): string[] {
  const faults: string[] = []
  const most = phase.phase === 'tool_phase' ? 1 : 0
  if (executions > most) faults.push(`${executions} executions in one ${phase.phase}`)
  if (reason === 'executed' && executions === 0) faults.push('a phase ends as executed and nothing was')
  if (reason === 'not_executed' && executions > 0) faults.push('a phase ends as not executed and something was')
  if (phase.phase === 'action_phase' && turns === 0 && reason !== 'closed') faults.push('an action phase has no turn')
  return faults
}
