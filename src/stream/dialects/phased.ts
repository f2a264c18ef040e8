import type { MessageContent } from '../../contract/message.ts'
import type { Pulse } from '../../contract/pulse.ts'
import type { Dialect, Encoder, EncoderOptions, Wire } from '../wire.ts'
import { eventTail, projectField } from './event-body.ts'
import { advance, nowhere, type Place } from './place.ts'
import { pulseJson } from './pulse-json.ts'
import { shownText, type Piece } from './shown-text.ts'
import { SSE } from './sse.ts'

/**
 * The native stream with the phase in every frame. The text of a turn always comes as deltas with ids, so that a reader
 * who comes back within a turn gets exactly the rest.
 */
export const phased = {
  ...SSE,
  hasOutputs: true,
  encoder: phasedEncoder,
  inbound: <Body extends { content: MessageContent; projectId?: string | undefined }>({
    projectId,
    ...body
  }: Body) => ({
    ...body,
    workspaceId: projectId,
  }),
} satisfies Dialect

function phasedEncoder(options: EncoderOptions): Encoder {
  const place = nowhere()
  const text = shownText()
  const project = projectField(options)
  let round: string | null = null

  function top(requestId: string | null, { phase, phaseIndex, cycleIndex }: Place): string {
    const whose = `"phase":${JSON.stringify(phase)},"requestId":${JSON.stringify(requestId)},${project}`
    return `${whose},"phaseIndex":${phaseIndex},"cycleIndex":${cycleIndex}`
  }

  const pulseWire = (one: Pulse, id?: string): Wire => ({
    ...(id !== undefined && { id }),
    event: one.type,
    data: pulseJson(one, top(one.requestId, place), ''),
  })

  const delta = (requestId: string, { id, ...more }: Piece): Wire =>
    pulseWire({ type: 'delta', sessionId: options.sessionId, requestId, kind: 'text', ...more }, id)

  const last = (event: string, data: object): Wire => ({
    event,
    data: `{${top(round, place)},${JSON.stringify(data).slice(1)}`,
  })

  return {
    has: text.has,
    see(event) {
      text.see(event)
      advance(place, event)
      round = event.requestId
    },
    event(frame) {
      const { event } = frame
      const { seq, type, id, sessionId, requestId } = event
      const rest = text.see(event)
      advance(place, event)
      round = requestId
      const here = requestId === null ? nowhere() : place
      const which = `"seq":${seq},"type":"${type}","id":${JSON.stringify(id)},"sessionId":${JSON.stringify(sessionId)}`
      const data = `{${top(requestId, here)},${which},"turn":${here.turn},${eventTail(frame, options.outputs)}`
      const wire = { id: text.id, event: type, data }
      return rest ? [delta(requestId ?? '', rest), wire] : [wire]
    },
    pulse(pulse) {
      if (pulse.type === 'reset') {
        text.forget()
        // A reader who comes back from here must get the text of the turn again.
        return [pulseWire(pulse, text.place)]
      }
      if (pulse.kind !== 'text') return [pulseWire(pulse)]
      const added = text.add(pulse)
      return added ? [delta(pulse.requestId, added)] : []
    },
    dropped: (reason) => last('dropped', { reason }),
    error: (problem) => last('error', problem),
  }
}
