import type { EventData } from '../../contract/event.ts'
import { jsonOf, type Dialect, type Wire } from '../wire.ts'

/** Server-sent events without delay and without tool output. */
export const SSE: Omit<Dialect, 'encoder'> = {
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  ping: ': ping\n\n',
  paceMs: 0,
  hasOutputs: false,
  text(wires) {
    let text = ''
    for (const { id, event, data } of wires) {
      if (id !== undefined) text += `id: ${id}\n`
      text += `event: ${event}\ndata: ${jsonOf(data)}\n\n`
    }
    return text
  },
}

export const dropped = (reason: string): Wire => ({ event: 'dropped', data: { reason } })
export const error = (problem: object): Wire => ({ event: 'error', data: problem })

/** The error of a failed round for clients. */
export function roundError(ended: EventData['round.ended']): { code: string; message: string } | undefined {
  if (ended.finishReason !== 'error') return undefined
  return { code: 'MODEL_ERROR', message: ended.error ?? 'The round ended with an error.' }
}
