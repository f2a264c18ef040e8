import type { Chunk } from '../../contract/knowledge.ts'
import { withoutUnseen } from '../../lib/unseen.ts'
import { markdownSections, paragraphsOf } from './markdown-sections.ts'
import { LEAST_CHARS, MOST_CHARS, splitParagraph, TARGET_CHARS } from './split-paragraph.ts'

/** Chunks that never cross a heading; each has the path of its headings. */
export function chunkMarkdown(text: string): Chunk[] {
  return numbered(
    markdownSections(withoutUnseen(text)).flatMap(({ place, paragraphs }) =>
      joinParagraphs(paragraphs).map((one) => ({ place, text: one })),
    ),
  )
}

export function chunkPlain(text: string): Chunk[] {
  return numbered(joinParagraphs(paragraphsOf(withoutUnseen(text))).map((one) => ({ place: '', text: one })))
}

/** The texts of the pages, from the first one on. */
export function chunkPages(pages: readonly string[]): Chunk[] {
  return pages.flatMap((page, at) =>
    joinParagraphs(paragraphsOf(withoutUnseen(page))).map((text) => ({ place: `page ${at + 1}`, text })),
  )
}

/** What stands under no heading is told by its number. */
function numbered(chunks: readonly Chunk[]): Chunk[] {
  let parts = 0
  return chunks.map(({ place, text }) => ({ place: place === '' ? `part ${(parts += 1)}` : place, text }))
}

/** Whole paragraphs up to the target; joined again they are the text, but for blank lines. */
function joinParagraphs(paragraphs: readonly string[]): string[] {
  const chunks: string[] = []
  let current = ''
  for (const paragraph of paragraphs)
    for (const [at, piece] of splitParagraph(paragraph).entries()) {
      const joint = current === '' || at > 0 ? '' : '\n\n'
      const length = current.length + joint.length + piece.length
      // What is very short, such as a heading, would mean little alone.
      if (length <= TARGET_CHARS || (current.length < LEAST_CHARS && length <= MOST_CHARS)) current += joint + piece
      else {
        chunks.push(current)
        current = piece
      }
    }
  chunks.push(current)
  return chunks.filter((chunk) => chunk.trim() !== '').map(withoutLineEnd)
}

function withoutLineEnd(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '\n') end -= 1
  return text.slice(0, end)
}
