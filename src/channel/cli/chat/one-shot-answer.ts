import { createMarkdownWriter, type MarkdownWriter } from './markdown.ts'
import type { Paint } from './paint.ts'
import { safeText } from './safe-text.ts'
import { widthOf } from './screen.ts'

/** Where the text of an answer goes while it comes. */
export interface OneShotAnswer {
  /** Text of a turn, from this place of it on. */
  add(offset: number, text: string): void
  /** A turn starts, or starts again. */
  restart(): void
  /** What a turn has said, whole. */
  is(text: string, isFinal: boolean): void
  /** Something else is said on the same terminal. */
  pause(): void
  /** There is no more; answers with the final text. */
  end(): string
}

/** Into a pipe goes the answer alone, as it came, once it is certain; for JSON somebody else writes it. */
export function printedAnswer(out: NodeJS.WriteStream, isJson: boolean): OneShotAnswer {
  let content = ''
  return {
    add() {},
    restart() {},
    pause() {},
    is(text, isFinal) {
      if (isFinal) content = text
    },
    end() {
      if (!isJson && content !== '') out.write(`${safeText(content).trimEnd()}\n`)
      return content
    },
  }
}

/** At a terminal it is seen as it comes. */
export function seenAnswer(out: NodeJS.WriteStream, paint: Paint): OneShotAnswer {
  let shown = ''
  let content = ''
  let writer: MarkdownWriter | undefined
  const put = (text: string): void => {
    if (text === '') return
    writer ??= createMarkdownWriter({ width: () => widthOf(out), paint, write: (part) => out.write(part) })
    writer.add(text)
  }
  const pause = (): void => {
    writer?.end()
    writer = undefined
  }
  return {
    pause,
    restart() {
      pause()
      shown = ''
    },
    add(offset, text) {
      if (offset > shown.length) return
      const more = text.slice(shown.length - offset)
      shown += more
      put(more)
    },
    is(text, isFinal) {
      if (!text.startsWith(shown)) pause()
      put(text.startsWith(shown) ? text.slice(shown.length) : text)
      pause()
      shown = ''
      if (isFinal) content = text
    },
    end() {
      pause()
      return content
    },
  }
}
