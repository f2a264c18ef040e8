import type { StoredEvent } from '../../contract/event.ts'
import type { Frame } from '../../stream/index.ts'

export interface FrameOptions {
  readonly projectId: string
  /** raw tool output is left out unless it was asked for */
  readonly outputs: boolean
}

/** Where in its round a stream stands: what every event of it also says. */
export interface Place {
  turn: number | null
  phase: string | null
  phaseIndex: number | null
  cycleIndex: number | null
}

export const nowhere = (): Place => ({ turn: null, phase: null, phaseIndex: null, cycleIndex: null })

/** Moves on with an event. */
export function advance(place: Place, event: StoredEvent): void {
  if (event.type === 'round.started') Object.assign(place, nowhere())
  else if (event.type === 'turn.started') place.turn = event.data.turn
  else if (event.type === 'phase.started') Object.assign(place, event.data)
}

export function eventBody(event: StoredEvent, place: Place, options: FrameOptions) {
  const { seq, type, sessionId, requestId, at } = event
  return {
    seq,
    type,
    id: event.id,
    sessionId,
    requestId,
    projectId: options.projectId,
    turn: requestId === null ? null : place.turn,
    ...(place.phase !== null &&
      requestId !== null && {
        phase: place.phase,
        phaseIndex: place.phaseIndex,
        cycleIndex: place.cycleIndex,
      }),
    at: new Date(at).toISOString(),
    data: event.type === 'tool.result' && !options.outputs ? withoutOutput(event.data) : event.data,
  }
}

function withoutOutput(result: Extract<StoredEvent, { type: 'tool.result' }>['data']): object {
  const { content, ...rest } = result
  // What Segno itself says about a call is no output of a tool.
  const own = result.outcome !== 'ok' && result.outcome !== 'error' && result.outcome !== 'timeout'
  return own ? result : { ...rest, chars: content.length }
}

/** One server-sent event. A frame with an id says something that is stored. */
export function sseFrame(frame: Frame, place: Place, options: FrameOptions): string {
  if (frame.kind === 'event') {
    advance(place, frame.event)
    const body = JSON.stringify(eventBody(frame.event, place, options))
    return `id: ${frame.event.seq}\nevent: ${frame.event.type}\ndata: ${body}\n\n`
  }
  const { type, sessionId: _, ...data } = frame.pulse
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
