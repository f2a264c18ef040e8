import { textOf } from '../../contract/message.ts'
import { jsonOnce } from '../frame.ts'
import type { Dialect, Encoder, Wire } from '../wire.ts'
import { shownText, type Piece } from './shown-text.ts'
import { roundError, SSE } from './sse.ts'

/**
 * One message per round, for simple clients (GOV-17): its text grows by deltas, and `message.start` has the text it
 * starts, or starts again, with. Of several frames for one event only the last has an id, so that none can be skipped.
 */
export const chat: Dialect = { ...SSE, encoder: chatEncoder }

function chatEncoder(): Encoder {
  const text = shownText()
  /** the text of the round's finished messages */
  let said = ''
  /** the running round */
  let open: string | null = null

  const start = (messageId: string | null, id?: number | string): Wire =>
    wire('message.start', { messageId, content: said }, id)

  return {
    has: text.has,
    pulse(pulse) {
      if (pulse.type === 'delta') {
        const added = pulse.kind === 'text' ? text.add(pulse) : undefined
        return added ? [delta(added)] : []
      }
      // After a retry, its event has already restarted the message.
      if (!text.isOpen) return []
      text.forget()
      // A reader who comes back from here must get the text of the turn again.
      return [start(pulse.requestId, text.place)]
    },
    event({ event }) {
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
          // The text of a turn that ends without a message is dropped.
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
        default:
          return []
      }
    },
    end(frame, { seq, requestId, data }) {
      text.see(frame.event)
      const { finishReason, usage, unstarted } = data
      const content = unstarted ? '' : said
      const complete = { messageId: requestId, content, tokenCount: usage.output, finishReason }
      // Cancelling a queued message does not complete the running one.
      if (unstarted && open !== null) return [wire('message.complete', complete, seq)]
      open = null
      const type = 'message.complete'
      const error = roundError(data)
      return [
        { event: type, data: jsonOnce(frame, 'chat', content, () => JSON.stringify({ type, data: complete })) },
        ...(error ? [wire('error', error)] : []),
        wire('done', {}, seq),
      ]
    },
    dropped: (reason) => wire('dropped', { reason }),
    error: (problem) => wire('error', problem),
  }
}

function wire(type: string, data: object, id?: number | string): Wire {
  return { ...(id !== undefined && { id: String(id) }), event: type, data: { type, data } }
}

const delta = ({ id, text, turn, offset }: Piece): Wire => wire('message.delta', { content: text, turn, offset }, id)
