import type { EventOf } from '../../contract/event.ts'
import { textOf } from '../../contract/message.ts'
import type { Pulse } from '../../contract/pulse.ts'
import type { EventFrame } from '../frame.ts'
import { jsonOnce } from '../json-once.ts'
import type { Encoder, Wire } from '../wire.ts'
import { roundError } from './round-error.ts'
import { shownText, type Piece } from './shown-text.ts'

/**
 * One message per round, for simple clients (GOV-17): its text grows by deltas, and `message.start` says with what it
 * starts, or starts again. Of several frames for one event only the last has an id: none of them can be skipped.
 */
export function chatEncoder(): Encoder {
  const text = shownText()
  /** the text of the round that stays, whatever becomes of the turn that is running */
  let said = ''
  /** the round whose message it is */
  let open: string | null = null

  const start = (messageId: string | null, id?: number): Wire => wire('message.start', { messageId, content: said }, id)

  function onPulse(pulse: Pulse): Wire[] {
    if (pulse.type === 'delta') {
      const added = pulse.kind === 'text' ? text.add(pulse) : undefined
      return added ? [delta(added)] : []
    }
    // The retry that causes a reset is in the log and was told with it.
    if (!text.isOpen) return []
    text.forget()
    return [start(pulse.requestId)]
  }

  function onEvent(frame: EventFrame): Wire[] {
    const { event } = frame
    const { turn, isOpen } = text
    const rest = text.see(event)
    switch (event.type) {
      case 'round.started':
        said = ''
        open = event.requestId
        return [start(event.requestId, event.seq)]
      case 'turn.retried':
        return event.data.shown ? [start(event.requestId, event.seq)] : []
      case 'round.resumed':
        return event.data.turn === turn ? [start(event.requestId, event.seq)] : []
      case 'turn.ended':
        // A turn that ends without its message takes its text with it.
        return isOpen ? [start(event.requestId, event.seq)] : []
      case 'message.assistant':
        said += textOf(event.data.content)
        return rest ? [delta(rest)] : []
      case 'tool.call':
        return [wire('tool.start', { invocationId: event.data.callId, toolName: event.data.name }, event.seq)]
      case 'tool.result': {
        const { callId, name, outcome } = event.data
        const status = outcome === 'ok' ? 'success' : outcome
        return [wire('tool.complete', { invocationId: callId, toolName: name, status }, event.seq)]
      }
      case 'round.ended':
        return end(frame, event)
      default:
        return []
    }
  }

  function end(frame: EventFrame, { seq, requestId, data }: EventOf<'round.ended'>): Wire[] {
    const { finishReason, usage, unstarted } = data
    const content = unstarted ? '' : said
    const complete = { messageId: requestId, content, tokenCount: usage.output, finishReason }
    // The message that is coming is not done because one that waited behind it was cancelled.
    if (unstarted && open !== null) return [wire('message.complete', complete, seq)]
    open = null
    const type = 'message.complete'
    const error = roundError(data)
    return [
      { event: type, data: jsonOnce(frame, 'chat', content, () => JSON.stringify({ type, data: complete })) },
      ...(error ? [wire('error', error)] : []),
      // It comes last and has the id: who has it has all.
      wire('done', {}, seq),
    ]
  }

  return {
    has: text.has,
    encode(frame) {
      if (frame.kind === 'dropped') return []
      return frame.kind === 'pulse' ? onPulse(frame.pulse) : onEvent(frame)
    },
  }
}

function wire(type: string, data: object, id?: number | string): Wire {
  return { ...(id !== undefined && { id: String(id) }), event: type, data: { type, data } }
}

const delta = ({ id, text, turn, offset }: Piece): Wire => wire('message.delta', { content: text, turn, offset }, id)
