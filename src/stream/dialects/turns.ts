import type { EventOf } from '../../contract/event.ts'
import type { Pulse } from '../../contract/pulse.ts'
import type { Turn } from '../../contract/turn.ts'
import { cursorId } from '../cursor.ts'
import type { EventFrame } from '../frame.ts'
import { jsonOnce } from '../json-once.ts'
import { pictureRound, type RoundPicture } from '../picture-round.ts'
import type { Encoder, EncoderOptions, Wire } from '../wire.ts'
import { roundError } from './round-error.ts'

/** Turns are shown at most this often (COO-1); who writes them waits in between. */
export const TURNS_PACE_MS = 50

/** Every turn with its whole content so far, again and again, and how the round ended. */
export function turnsEncoder({ sessionId }: EncoderOptions): Encoder {
  let picture: RoundPicture | undefined
  let seq = 0
  /** characters of the running turn a reader had when it came */
  let had = 0

  function onPulse(pulse: Pulse): Wire[] {
    const index = picture?.see({ kind: 'pulse', pulse })
    const turn = index === undefined ? undefined : picture?.turn(index)
    if (!turn) return []
    if (pulse.type === 'reset') had = 0
    else if (pulse.kind === 'reasoning' || turn.content.length < had) return []
    else if (pulse.kind === 'text' && turn.content.length === had) return []
    return [shown(turn, seq)]
  }

  function onEvent(frame: EventFrame): Wire[] {
    const { event } = frame
    seq = event.seq
    if (event.type === 'round.started') picture = pictureRound(sessionId, event.data.requestId)
    if (event.type === 'round.ended' && event.data.unstarted) return [end(frame, event, '')]
    const index = picture?.see(frame)
    const turn = index === undefined ? undefined : picture?.turn(index)
    if (turn) had = 0
    switch (event.type) {
      case 'round.started':
        return [{ id: String(seq), event: 'initialized', data: { sessionId, responseId: event.data.requestId } }]
      case 'turn.ended':
        return turn ? [{ id: String(seq), event: 'turn-completed', data: { ...bodyOf(turn), usage: turn.usage } }] : []
      case 'round.ended':
        return [end(frame, event, picture?.completion().content ?? '')]
      default:
        return turn ? [shown(turn, seq)] : []
    }
  }

  function end(frame: EventFrame, event: EventOf<'round.ended'>, content: string): Wire {
    const id = String(event.seq)
    const error = roundError(event.data)
    if (error) return { id, event: 'error', data: error }
    const { finishReason, usage, cost } = event.data
    const completed = { responseId: event.requestId, content, finishReason, usage, cost }
    return { id, event: 'completed', data: jsonOnce(frame, 'turns', content, () => JSON.stringify(completed)) }
  }

  return {
    has(chars) {
      had = chars
    },
    newest,
    encode(frame) {
      if (frame.kind === 'dropped') return []
      return frame.kind === 'pulse' ? onPulse(frame.pulse) : onEvent(frame)
    },
  }
}

const bodyOf = ({ turnId, index, content, status, toolCalls }: Turn) => ({ turnId, index, content, status, toolCalls })

const shown = (turn: Turn, seq: number): Wire => ({
  id: turn.status === 'streaming' ? cursorId(seq, turn.content.length) : String(seq),
  event: 'turn',
  data: bodyOf(turn),
})

/** A turn says all it has said before: the last time is enough. */
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
