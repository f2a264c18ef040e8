import type { Pulse } from '../../contract/pulse.ts'
import type { EventFrame } from '../frame.ts'
import type { Encoder, EncoderOptions, Wire } from '../wire.ts'
import { eventTail } from './event-body.ts'
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

  function eventJson(frame: EventFrame): string {
    const { seq, type, id, sessionId, requestId } = frame.event
    const { turn, phase, phaseIndex, cycleIndex } = requestId === null ? nowhere() : place
    const whose = `{"phase":${JSON.stringify(phase)},"requestId":${JSON.stringify(requestId)},"projectId":${projectId}`
    const indexes = `,"phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
    const which = `,"seq":${seq},"type":"${type}","id":${JSON.stringify(id)},"sessionId":${JSON.stringify(sessionId)}`
    return `${whose}${indexes}${which},"turn":${turn},${eventTail(frame, options.outputs)}`
  }

  return {
    has: text.has,
    see(event) {
      text.see(event)
      advance(place, event)
    },
    encode(frame) {
      if (frame.kind === 'dropped') return []
      if (frame.kind === 'pulse') return onPulse(frame.pulse)
      const { event } = frame
      const rest = text.see(event)
      advance(place, event)
      const wire = { id: text.id, event: event.type, data: eventJson(frame) }
      return rest ? [delta(event.requestId ?? '', rest), wire] : [wire]
    },
  }
}
