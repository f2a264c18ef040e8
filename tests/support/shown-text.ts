import type { SseFrame } from './sse-frames.ts'

/** The text of the latest round a reader has on its screen, made of the frames of any dialect. */
export interface ShownText {
  /** Takes a frame in; says what is wrong with it. */
  see(frame: SseFrame): string[]
  /** by turn; in the chat dialect, where a round is one text, all of it is turn 0 */
  readonly turns: ReadonlyMap<number, string>
}

export function shownText(): ShownText {
  const turns = new Map<number, string>()
  /** how much of a turn is in messages: that stays, whatever becomes of the rest */
  const kept = new Map<number, number>()
  /** chat: where in the text of the round the running turn begins */
  let running = { turn: -1, from: 0 }
  const textOf = (turn: number): string => turns.get(turn) ?? ''
  const keptOf = (turn: number): string => textOf(turn).slice(0, kept.get(turn) ?? 0)

  function begin(): string[] {
    turns.clear()
    kept.clear()
    return []
  }

  /** Puts a delta where it belongs. */
  function join(turn: number, offset: number, text: string): string[] {
    const before = textOf(turn)
    turns.set(turn, before.slice(0, offset) + text)
    return offset > before.length ? [`turn ${turn} goes on at ${offset} after ${before.length} characters`] : []
  }

  function forget(turn: number): string[] {
    turns.set(turn, keptOf(turn))
    return []
  }

  /** What is stored must begin with what was shown of it. */
  function stored(turn: number, text: string): string[] {
    const before = textOf(turn)
    const after = keptOf(turn) + text
    turns.set(turn, after)
    kept.set(turn, after.length)
    return after.startsWith(before) ? [] : [`turn ${turn} was shown as "${before}" and stored as "${after}"`]
  }

  function chat({ event, data: { data = {} } }: SseFrame): string[] {
    const content = typeof data.content === 'string' ? data.content : ''
    if (event === 'message.start') {
      turns.set(0, content)
      running = { turn: -1, from: content.length }
      return []
    }
    if (event === 'message.complete') {
      const before = textOf(0)
      turns.set(0, content)
      return content === before ? [] : [`the message was shown as "${before}" and is "${content}"`]
    }
    const { turn = 0, offset = 0 } = data
    if (turn !== running.turn) running = { turn, from: textOf(0).length }
    return join(0, running.from + offset, content)
  }

  function see(frame: SseFrame): string[] {
    const { event, data } = frame
    const { data: inner = {} } = data
    switch (event) {
      case 'round.started':
      case 'initialized':
        return begin()
      case 'delta':
        return data.kind === 'text' ? join(data.turn ?? 0, data.offset ?? 0, data.text ?? '') : []
      case 'reset':
        return forget(data.turn ?? 0)
      case 'turn.retried':
        return inner.shown ? forget(inner.turn ?? 0) : []
      case 'round.resumed':
        return forget(inner.turn ?? 0)
      case 'message.assistant':
        return stored(inner.turn ?? 0, partsText(inner.content))
      case 'message.start':
      case 'message.delta':
      case 'message.complete':
        return chat(frame)
      case 'turn':
      case 'turn-completed':
        turns.set(data.index ?? 0, data.content ?? '')
        return []
      default:
        return []
    }
  }

  return { turns, see }
}

function partsText(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  return (parts as readonly { type: string; text?: string }[])
    .map((part) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('')
}
