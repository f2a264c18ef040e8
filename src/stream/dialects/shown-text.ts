import type { StoredEvent } from '../../contract/event.ts'
import { textOf } from '../../contract/message.ts'
import type { Pulse } from '../../contract/pulse.ts'
import { cursorId } from '../cursor.ts'

/** New text of a turn, and the id that says a reader has it. */
export interface Piece {
  readonly id: string
  readonly turn: number
  readonly offset: number
  readonly text: string
}

/**
 * What a reader was shown of the text that is coming. Its position is the last event it has and the number of
 * characters it has of the turn, so it can go on inside a turn, also after a retry.
 */
export function shownText() {
  let seq = 0
  let turn = 0
  /** characters of the turn that are in messages */
  let stored = 0
  /** characters of the turn the reader has */
  let shown = 0

  function piece(text: string): Piece | undefined {
    if (text === '') return undefined
    const offset = shown
    shown += text.length
    return { id: cursorId(seq, shown), turn, offset, text }
  }

  function begin(next: number): void {
    turn = next
    stored = shown = 0
  }

  function rest(text: string): Piece | undefined {
    const missing = piece(text.slice(shown - stored))
    stored = shown = stored + text.length
    return missing
  }

  function see(event: StoredEvent): Piece | undefined {
    switch (event.type) {
      case 'round.started':
        begin(0)
        return undefined
      case 'turn.started':
        begin(event.data.turn)
        return undefined
      case 'message.assistant':
        if (event.data.turn !== turn) begin(event.data.turn)
        return rest(textOf(event.data.content))
      case 'turn.retried':
        if (event.data.shown) shown = stored
        return undefined
      case 'round.resumed':
      case 'turn.ended':
        if (event.data.turn === turn) shown = stored
        return undefined
      default:
        return undefined
    }
  }

  return {
    get turn() {
      return turn
    },
    /** is something shown that no message holds yet? */
    get isOpen() {
      return shown > stored
    },
    /** of the last event, or of the text that was shown after it */
    get id() {
      return shown > stored ? cursorId(seq, shown) : String(seq)
    },
    /** What a delta adds to what the reader has; nothing where it does not go on from there. */
    add(delta: Extract<Pulse, { type: 'delta' }>): Piece | undefined {
      if (delta.turn !== turn || delta.offset > shown) return undefined
      return piece(delta.text.slice(shown - delta.offset))
    },
    /** Moves on with an event. Of a message that was not shown to its end: the rest, which is to be shown before it. */
    see(event: StoredEvent): Piece | undefined {
      const missing = see(event)
      seq = event.seq
      return missing
    },
    has(chars: number): void {
      shown = Math.max(stored, chars)
    },
    forget(): void {
      shown = stored
    },
  }
}
