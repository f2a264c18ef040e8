import type { StoredEvent } from '../../../src/contract/event.ts'

/** The phases of a round with what happened in each: `1 tool_phase c1: turn, run → executed`. */
export function phasesOf(events: readonly StoredEvent[]): string[] {
  const phases: { head: string; happened: string[]; end: string }[] = []
  for (const { type, data } of events) {
    const phase = phases.at(-1)
    if (type === 'phase.started')
      phases.push({ head: `${data.phaseIndex} ${data.phase} c${data.cycleIndex}`, happened: [], end: 'open' })
    else if (type === 'turn.started') phase?.happened.push('turn')
    else if (type === 'approval.requested') phase?.happened.push('ask')
    else if (type === 'approval.decided') phase?.happened.push(data.decision)
    else if (type === 'tool.started') phase?.happened.push('run')
    else if (type === 'tool.result' && data.outcome !== 'ok') phase?.happened.push(data.code ?? data.outcome)
    else if (type === 'phase.ended' && phase) phase.end = data.reason
  }
  return phases.map(({ head, happened, end }) => `${head}: ${happened.join(', ')} → ${end}`)
}
