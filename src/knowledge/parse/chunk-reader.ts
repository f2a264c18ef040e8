import type { Chunk } from '../../contract/knowledge.ts'
import { DocumentFault, isFaultKind, type DocumentLimits } from './document-fault.ts'
import { MOST_PLACE_CHARS } from './markdown-sections.ts'
import { MOST_CHARS } from './split-paragraph.ts'

/** More than the longest chunk, with every character escaped. */
const LONGEST_LINE = 64 * 1024
const LINE_END = 0x0a

/** Reads what the child writes. It read a stranger's document, so nothing it says is believed unchecked. */
export function createChunkReader(limits: Pick<DocumentLimits, 'chars' | 'chunks'>) {
  const chunks: Chunk[] = []
  let chars = 0
  let isComplete = false
  let rest = Buffer.alloc(0)

  function takeLine(line: string): void {
    const value = parsed(line)
    if (isComplete) throw new DocumentFault('broken')
    if (isChunk(value)) {
      const [place, text] = value
      chunks.push({ place, text })
      chars += text.length
      if (chunks.length > limits.chunks) throw new DocumentFault('chunks')
      if (chars > limits.chars) throw new DocumentFault('chars')
      return
    }
    const { fault, end } = value as { readonly fault?: unknown; readonly end?: unknown }
    if (isFaultKind(fault)) throw new DocumentFault(fault)
    if (end !== chunks.length || chunks.length === 0) throw new DocumentFault('broken')
    isComplete = true
  }

  return {
    /** Throws a DocumentFault for what the child refused and for what it may not say. */
    take(bytes: Buffer): void {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      let from = 0
      for (let to = all.indexOf(LINE_END); to >= 0; to = all.indexOf(LINE_END, from)) {
        if (to - from > LONGEST_LINE) throw new DocumentFault('broken')
        takeLine(all.toString('utf8', from, to))
        from = to + 1
      }
      rest = Buffer.from(all.subarray(from))
      if (rest.length > LONGEST_LINE) throw new DocumentFault('broken')
    },
    /** All chunks; throws a DocumentFault if the child ended before it said that these are all. */
    end(): Chunk[] {
      if (!isComplete || rest.length > 0) throw new DocumentFault('broken')
      return chunks
    },
  }
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // It is said below.
  }
  throw new DocumentFault('broken')
}

function isChunk(value: unknown): value is readonly [place: string, text: string] {
  if (!Array.isArray(value)) return false
  const [place, text, more] = value as unknown[]
  if (more === undefined && isText(place, MOST_PLACE_CHARS) && isText(text, MOST_CHARS)) return true
  throw new DocumentFault('broken')
}

function isText(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length > most || value.trim() === '') return false
  return value.isWellFormed() && !value.includes('\0')
}
