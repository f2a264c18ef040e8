import type { Encoder, EncoderOptions } from '../wire.ts'
import { eventBody } from './event-body.ts'
import { advance, nowhere } from './place.ts'
import { pulseJson } from './pulse-json.ts'

/** Everything as it is: stored events under their numbers, pulses in between without one. */
export function nativeEncoder(options: EncoderOptions): Encoder {
  const place = nowhere()
  const projectId = JSON.stringify(options.projectId)
  let phase = ''
  return {
    encode(frame) {
      if (frame.kind === 'dropped') return []
      if (frame.kind === 'pulse') return [{ event: frame.pulse.type, data: pulseJson(frame.pulse, '', phase) }]
      const { event } = frame
      advance(place, event)
      const { phase: name, phaseIndex, cycleIndex } = place
      phase =
        name === null
          ? ''
          : `,"projectId":${projectId},"phase":"${name}","phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
      return [{ id: String(event.seq), event: event.type, data: eventBody(event, place, options) }]
    },
  }
}
