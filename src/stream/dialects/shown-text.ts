import type { StoredEvent } from '../../contract/event.ts'
import { textOf } from '../../contract/message.ts'
import type { Delta } from '../../contract/pulse.ts'
import { cursorId } from '../cursor.ts'

/** New text of a turn; the id is the cursor after it. */
export interface Piece {
  readonly id: string
  readonly turn: number
  readonly offset: number
  readonly text: string
}

/**
 * How much of the running turn's text a reader has. Its position is the last event and a number of characters of the
 * turn, so that it can continue within a turn, even after a retry.
 */
export function shownText() {
  let seq = 0
  let turn = 0
  /** characters of the turn in stored messages */
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
    /** whether the reader has text that is in no message yet */
    get isOpen() {
      return shown > stored
    },
    /** the cursor after the last event, or after the text that followed it */
    get id() {
      return shown > stored ? cursorId(seq, shown) : String(seq)
    },
    /** the same, with the number of characters even if it is 0 */
    get place() {
      return cursorId(seq, shown)
    },
    /** The part of a delta that the reader does not have; undefined if there is none, or a gap before it. */
    add(delta: Delta): Piece | undefined {
      if (delta.turn !== turn || delta.offset > shown) return undefined
      return piece(delta.text.slice(shown - delta.offset))
    },
    /** Takes in an event; returns the text of a message that the reader still lacks, to be shown before the event. */
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
