import type { Block } from './markdown-tree.ts'
import { closeAll, copyOf, nothingOpen } from './open-blocks.ts'
import { readLine } from './read-line.ts'

/** The blocks of a whole text. Raw HTML is text; nothing throws; time grows linearly with the text. */
export function parseMarkdown(text: string): Block[] {
  return createMarkdownStream().append(text)
}

export type MarkdownStream = {
  /** Adds text and gives all blocks so far. Those that the new text could not change are the same objects as before. */
  append(text: string): Block[]
}

export function createMarkdownStream(): MarkdownStream {
  const open = nothingOpen()
  let lastLine = ''
  return {
    append(text) {
      const lines = (lastLine + text).split('\n')
      lastLine = lines.pop() ?? ''
      for (const line of lines) readLine(open, line)
      // The last line may still grow, so it is only tried on a copy.
      const tried = copyOf(open)
      if (lastLine !== '') readLine(tried, lastLine)
      return closeAll(tried)
    },
  }
}
