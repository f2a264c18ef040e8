import type { Pulse } from '../../contract/pulse.ts'
import type { Encoder, EncoderOptions, Wire } from '../wire.ts'
import { eventBody } from './event-body.ts'
import { advance, nowhere } from './place.ts'
import { pulseJson } from './pulse-json.ts'
import { shownText, type Piece } from './shown-text.ts'

/**
 * The native stream where every frame says its phase, and where the text of a turn always comes as deltas with ids of
 * their own: whoever comes back inside a turn gets exactly the rest.
 */
export function phasedEncoder(options: EncoderOptions): Encoder {
  const place = nowhere()
  const text = shownText()
  const projectId = JSON.stringify(options.projectId)

  function pulse(one: Pulse, id?: string): Wire {
    const { phase, phaseIndex, cycleIndex } = place
    const indexes = `"phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
    const top = `"phase":${JSON.stringify(phase)},"projectId":${projectId},${indexes},`
    return { ...(id !== undefined && { id }), event: one.type, data: pulseJson(one, top, '') }
  }

  const delta = (requestId: string, { id, ...more }: Piece): Wire =>
    pulse({ type: 'delta', sessionId: options.sessionId, requestId, kind: 'text', ...more }, id)

  function onPulse(one: Pulse): Wire[] {
    if (one.type === 'reset') text.forget()
    if (one.type === 'reset' || one.kind !== 'text') return [pulse(one)]
    const added = text.add(one)
    return added ? [delta(one.requestId, added)] : []
  }

  return {
    has: text.has,
    encode(frame) {
      if (frame.kind === 'dropped') return []
      if (frame.kind === 'pulse') return onPulse(frame.pulse)
      const { event } = frame
      const rest = text.see(event)
      advance(place, event)
      const inRound = event.requestId !== null
      const top = {
        phase: inRound ? place.phase : null,
        requestId: event.requestId,
        projectId: options.projectId,
        phaseIndex: inRound ? place.phaseIndex : null,
        cycleIndex: inRound ? place.cycleIndex : null,
      }
      const wire = { id: text.id, event: event.type, data: { ...top, ...eventBody(event, place, options) } }
      return rest ? [delta(event.requestId ?? '', rest), wire] : [wire]
    },
  }
}
