import type { StoredEvent } from '../../contract/event.ts'
import type { EventFrame } from '../frame.ts'
import type { Dialect, Encoder, EncoderOptions } from '../wire.ts'
import { eventTail, projectField } from './event-body.ts'
import { advance, nowhere } from './place.ts'
import { pulseJson } from './pulse-json.ts'
import { dropped, error, SSE } from './sse.ts'

/** Stored events with their numbers as ids, and pulses without an id. */
export const native: Dialect = { ...SSE, hasOutputs: true, encoder: nativeEncoder }

function nativeEncoder(options: EncoderOptions): Encoder {
  const place = nowhere()
  const project = projectField(options)
  /** fields that every frame of a triggered round has */
  let phase = ''

  function see(event: StoredEvent): void {
    advance(place, event)
    const { phase: name, phaseIndex, cycleIndex } = place
    phase = name === null ? '' : `,"phase":"${name}","phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
  }

  function eventJson(frame: EventFrame): string {
    const { seq, type, id, sessionId, requestId } = frame.event
    const which = `{"seq":${seq},"type":"${type}","id":${JSON.stringify(id)},"sessionId":${JSON.stringify(sessionId)}`
    const whose = `"requestId":${JSON.stringify(requestId)},${project}`
    const where = requestId === null ? '"turn":null' : `"turn":${place.turn}${phase}`
    return `${which},${whose},${where},${eventTail(frame, options.outputs)}`
  }

  return {
    see,
    event(frame) {
      const { event } = frame
      see(event)
      return [{ id: String(event.seq), event: event.type, data: eventJson(frame) }]
    },
    pulse(pulse) {
      const top = `"requestId":${JSON.stringify(pulse.requestId)}`
      return [{ event: pulse.type, data: pulseJson(pulse, top, phase && `,${project}${phase}`) }]
    },
    dropped,
    error,
  }
}
