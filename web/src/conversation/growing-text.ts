import type { LiveTurn } from '../log/live-turns.ts'
import type { Block } from '../text/markdown-tree.ts'
import { createMarkdownStream } from '../text/parse-markdown.ts'

/** The Markdown blocks of a text that is still coming. */
export function createGrowingText() {
  let stream = createMarkdownStream()
  let blocks: Block[] = []
  let taken = ''
  let from: LiveTurn | undefined
  let generation = 0
  /** how many of its pieces are taken */
  let used = 0

  function begin(): void {
    stream = createMarkdownStream()
    blocks = []
    taken = ''
  }
  function add(text: string): void {
    if (text === '') return
    blocks = stream.append(text)
    taken += text
  }
  /** After a reconnect or a retry the text may go on from what is known, or begin again. */
  function change(live: LiveTurn): void {
    if (!live.text.startsWith(taken)) begin()
    add(live.text.slice(taken.length))
  }

  return {
    take(live: LiveTurn | undefined): Block[] {
      // Between two connections there is no live turn: keep what was read.
      if (!live) return blocks
      if (live === from && live.generation === generation) add(live.pieces.slice(used).join(''))
      else change(live)
      from = live
      generation = live.generation
      used = live.pieces.length
      return blocks
    },
    end(text: string): Block[] {
      if (text === taken) return blocks
      if (!text.startsWith(taken)) begin()
      add(text.slice(taken.length))
      return blocks
    },
  }
}
