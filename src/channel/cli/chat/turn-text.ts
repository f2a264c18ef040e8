import type { MarkdownWriter } from './markdown.ts'

/** The text of the current turn, written while it arrives. `newWriter` is called whenever text begins or continues. */
export function createTurnText(newWriter: () => MarkdownWriter) {
  let shown = ''
  let writer: MarkdownWriter | undefined

  function write(text: string): void {
    if (text === '') return
    writer ??= newWriter()
    writer.add(text)
  }

  /** Something else is about to be written. */
  function pause(): void {
    const paused = writer
    writer = undefined
    paused?.end()
  }

  return {
    pause,
    get isShown() {
      return shown !== ''
    },
    /** Text that starts at this offset of the turn; it may repeat what was written. */
    add(offset: number, text: string): void {
      if (offset > shown.length) return
      const more = text.slice(shown.length - offset)
      shown += more
      write(more)
    },
    /** The turn starts, or starts over. */
    restart(): void {
      pause()
      shown = ''
    },
    /** The whole text as it was stored. */
    finish(text: string, onDifference?: () => void): void {
      if (text.startsWith(shown)) write(text.slice(shown.length))
      else {
        onDifference?.()
        pause()
        write(text)
      }
      pause()
      shown = ''
    },
  }
}
