import type { Turn } from '../../contract/turn.ts'
import { cursorId } from '../cursor.ts'
import { jsonOnce, type Frame } from '../frame.ts'
import { pictureRound, type RoundPicture } from '../picture-round.ts'
import type { Dialect, Encoder, EncoderOptions, Wire } from '../wire.ts'
import { dropped, error, roundError, SSE } from './sse.ts'

/** Every turn with its whole content so far, repeated at most every 50 ms (COO-1), and the end of the round. */
export const turns: Dialect = { ...SSE, paceMs: 50, encoder: turnsEncoder }

function turnsEncoder({ sessionId }: EncoderOptions): Encoder {
  let picture: RoundPicture | undefined
  let seq = 0
  /** characters of the running turn that the reader already had */
  let had = 0

  function see(frame: Frame): Turn | undefined {
    const index = picture?.see(frame)
    return index === undefined ? undefined : picture?.turn(index)
  }

  return {
    has(chars) {
      had = chars
    },
    newest,
    pulse(pulse) {
      const turn = see({ kind: 'pulse', pulse })
      if (!turn) return []
      if (pulse.type === 'reset') had = 0
      else if (pulse.kind === 'reasoning' || turn.content.length < had) return []
      else if (pulse.kind === 'text' && turn.content.length === had) return []
      return [shown(turn, seq)]
    },
    event(frame) {
      const { event } = frame
      seq = event.seq
      if (event.type === 'round.started') picture = pictureRound(sessionId, event.data.requestId)
      const turn = see(frame)
      if (turn) had = 0
      switch (event.type) {
        case 'round.started':
          return [{ id: String(seq), event: 'initialized', data: { sessionId, responseId: event.data.requestId } }]
        case 'turn.ended':
          return turn
            ? [{ id: String(seq), event: 'turn-completed', data: { ...bodyOf(turn), usage: turn.usage } }]
            : []
        default:
          return turn ? [shown(turn, seq)] : []
      }
    },
    end(frame, event) {
      seq = event.seq
      const id = String(seq)
      const content = event.data.unstarted ? '' : (picture?.completion().content ?? '')
      const failure = roundError(event.data)
      if (failure) return [{ id, event: 'error', data: failure }]
      const { finishReason, usage, cost } = event.data
      const completed = { responseId: event.requestId, content, finishReason, usage, cost }
      return [{ id, event: 'completed', data: jsonOnce(frame, 'turns', content, () => JSON.stringify(completed)) }]
    },
    dropped,
    error,
  }
}

const bodyOf = ({ turnId, index, content, status, toolCalls }: Turn) => ({ turnId, index, content, status, toolCalls })

const shown = (turn: Turn, seq: number): Wire => ({
  id: turn.status === 'streaming' ? cursorId(seq, turn.content.length) : String(seq),
  event: 'turn',
  data: bodyOf(turn),
})

/** Only the last frame of each turn is needed, because it contains the earlier ones. */
function newest(wires: Wire[]): Wire[] {
  const seen = new Set<number>()
  const isNews = ({ event, data }: Wire): boolean => {
    if (event !== 'turn') return true
    const { index } = data as Turn
    const isFirst = !seen.has(index)
    seen.add(index)
    return isFirst
  }
  return wires.toReversed().filter(isNews).toReversed()
}
