import type { SseFrame } from './sse-frames.ts'

/** The text a reader has on its screen, made of the frames of any dialect. */
export interface ShownText {
  /** Takes a frame in; says what is wrong with it. */
  see(frame: SseFrame): string[]
  /** by turn; in the chat dialect, where a round is one text, all of it is turn 0 */
  readonly turns: ReadonlyMap<number, string>
}

export function shownText(): ShownText {
  const turns = new Map<number, string>()
  const textOf = (turn: number): string => turns.get(turn) ?? ''
  /** chat: where in the text of the round the running turn begins */
  let running = { turn: 0, from: 0 }

  /** Puts a delta where it belongs. */
  function join(turn: number, offset: number, text: string): string[] {
    const before = textOf(turn)
    turns.set(turn, before.slice(0, offset) + text)
    return offset > before.length ? [`turn ${turn} goes on at ${offset} after ${before.length} characters`] : []
  }

  /** What is stored must begin with what was shown of it. */
  function stored(turn: number, text: string): string[] {
    const before = textOf(turn)
    turns.set(turn, text)
    return text.startsWith(before) ? [] : [`turn ${turn} was shown as "${before}" and stored as "${text}"`]
  }

  function chat({ event, data: { data = {} } }: SseFrame): string[] {
    const content = typeof data.content === 'string' ? data.content : ''
    if (event === 'message.start') {
      turns.set(0, content)
      running = { turn: -1, from: content.length }
      return []
    }
    if (event === 'message.complete') return stored(0, content)
    const { turn = 0, offset = 0 } = data
    if (turn !== running.turn) running = { turn, from: textOf(0).length }
    return join(0, running.from + offset, content)
  }

  return {
    turns,
    see(frame) {
      const { event, data } = frame
      const { data: inner = {} } = data
      switch (event) {
        case 'delta':
          return data.kind === 'text' ? join(data.turn ?? 0, data.offset ?? 0, data.text ?? '') : []
        case 'reset':
          turns.set(data.turn ?? 0, '')
          return []
        case 'turn.retried':
          if (inner.shown) turns.set(inner.turn ?? 0, '')
          return []
        case 'round.resumed':
          turns.set(inner.turn ?? 0, '')
          return []
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
    },
  }
}

function partsText(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  return (parts as readonly { type: string; text?: string }[])
    .map((part) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('')
}
