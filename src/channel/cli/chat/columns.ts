const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** East Asian wide characters and emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])/u
const ASCII = /^[ -~]*$/
const NO_WIDTH = /^\p{M}/u

export const graphemes = (text: string): string[] => [...SEGMENTS.segment(text)].map(({ segment }) => segment)

/** The grapheme at this index; fast in long texts, too. */
export function graphemeAt(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const found = SEGMENTS.segment(text).containing(at)
  return found && { start: found.index, end: found.index + found.segment.length }
}

export const isWide = (grapheme: string): boolean => WIDE.test(grapheme)

/** The columns a text takes in a terminal. It must not contain control characters. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length
  let columns = 0
  for (const one of graphemes(text)) columns += isWide(one) ? 2 : NO_WIDTH.test(one) ? 0 : 1
  return columns
}

export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const one of graphemes(text)) {
    used += columnsOf(one)
    if (used > columns) break
    kept += one
  }
  return `${kept}…`
}
