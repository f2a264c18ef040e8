import type { StoredEvent } from '../../contract/event.ts'

/** The position of a stream in its round; the phases are null in a unified round. */
export interface Place {
  turn: number | null
  phase: string | null
  phaseIndex: number | null
  cycleIndex: number | null
}

export const nowhere = (): Place => ({ turn: null, phase: null, phaseIndex: null, cycleIndex: null })

export function advance(place: Place, event: StoredEvent): void {
  switch (event.type) {
    case 'round.started':
      Object.assign(place, nowhere())
      // The user's message belongs to the first phase, which starts with the first turn.
      if (event.data.protocol === 'triggered')
        Object.assign(place, { phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 })
      return
    case 'turn.started':
      place.turn = event.data.turn
      return
    case 'phase.started':
      place.phase = event.data.phase
      place.phaseIndex = event.data.phaseIndex
      place.cycleIndex = event.data.cycleIndex
      return
    case 'round.ended':
      if (place.phaseIndex === null || event.data.unstarted) return
      place.phase = 'complete'
      place.phaseIndex += 1
      return
    default:
      return
  }
}
