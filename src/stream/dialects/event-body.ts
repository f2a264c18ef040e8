import type { StoredEvent } from '../../contract/event.ts'
import { jsonOnce, type EventFrame } from '../frame.ts'
import type { EncoderOptions } from '../wire.ts'
import type { Place } from './place.ts'

/** Clients know a workspace as a project. */
export const projectField = ({ workspaceId }: EncoderOptions): string => `"projectId":${JSON.stringify(workspaceId)}`

/** An event as clients see it. */
export function eventBody(event: StoredEvent, place: Place, options: EncoderOptions) {
  const { seq, type, sessionId, requestId, at, ms } = event
  return {
    seq,
    type,
    id: event.id,
    sessionId,
    requestId,
    projectId: options.workspaceId,
    turn: requestId === null ? null : place.turn,
    ...(place.phase !== null &&
      requestId !== null && {
        phase: place.phase,
        phaseIndex: place.phaseIndex,
        cycleIndex: place.cycleIndex,
      }),
    at: new Date(at).toISOString(),
    ...(ms !== undefined && { ms }),
    data: shownData(event, options.outputs),
  }
}

/** The end of the same JSON, with the closing brace: its longest part, and the same for all readers. */
export function eventTail(frame: EventFrame, outputs: boolean): string {
  const { event } = frame
  return jsonOnce(frame, outputs ? 'outputs' : 'plain', '', () => {
    const at = new Date(event.at).toISOString()
    const ms = event.ms === undefined ? '' : `"ms":${event.ms},`
    return `"at":"${at}",${ms}"data":${JSON.stringify(shownData(event, outputs))}}`
  })
}

function shownData(event: StoredEvent, outputs: boolean): object {
  return event.type === 'tool.result' && !outputs ? withoutOutput(event.data) : event.data
}

function withoutOutput(result: Extract<StoredEvent, { type: 'tool.result' }>['data']): object {
  const { content, ...rest } = result
  // With other outcomes the content is Segno's own text.
  const own = result.outcome !== 'ok' && result.outcome !== 'error' && result.outcome !== 'timeout'
  return own ? result : { ...rest, chars: content.length }
}
