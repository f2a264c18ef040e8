import type { StoredEvent } from '../../contract/event.ts'
import type { EventFrame } from '../frame.ts'
import type { Encoder, EncoderOptions } from '../wire.ts'
import { eventTail } from './event-body.ts'
import { advance, nowhere } from './place.ts'
import { pulseJson } from './pulse-json.ts'

/** Everything as it is: stored events under their numbers, pulses in between without one. */
export function nativeEncoder(options: EncoderOptions): Encoder {
  const place = nowhere()
  const projectId = JSON.stringify(options.projectId)
  /** fields of everything in a triggered round */
  let phase = ''

  function see(event: StoredEvent): void {
    advance(place, event)
    const { phase: name, phaseIndex, cycleIndex } = place
    phase = name === null ? '' : `"phase":"${name}","phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
  }

  function eventJson(frame: EventFrame): string {
    const { seq, type, id, sessionId, requestId } = frame.event
    const which = `{"seq":${seq},"type":"${type}","id":${JSON.stringify(id)},"sessionId":${JSON.stringify(sessionId)}`
    const whose = `,"requestId":${JSON.stringify(requestId)},"projectId":${projectId}`
    const where = requestId === null ? '"turn":null' : `"turn":${place.turn}${phase && `,${phase}`}`
    return `${which}${whose},${where},${eventTail(frame, options.outputs)}`
  }

  return {
    see,
    encode(frame) {
      if (frame.kind === 'dropped') return []
      if (frame.kind === 'pulse') {
        const more = phase && `,"projectId":${projectId},${phase}`
        return [{ event: frame.pulse.type, data: pulseJson(frame.pulse, '', more) }]
      }
      const { event } = frame
      see(event)
      return [{ id: String(event.seq), event: event.type, data: eventJson(frame) }]
    },
  }
}
