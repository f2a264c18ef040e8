import type { Citation, Retrieved } from '../contract/sent-prompt.ts'

/** Labels as models write them: one, or several with commas. */
const LABELS = /\[(k\d{1,9}(?:, ?k\d{1,9}){0,9})\]/g

/** The passages that a text cites, each once; a label that nobody gave is none. */
export function citationsIn(text: string, given: readonly Retrieved[]): Citation[] {
  const byLabel = new Map(given.flatMap((one) => (one.kind === 'passage' ? [[one.label, one] as const] : [])))
  if (byLabel.size === 0) return []
  const labels = new Set([...text.matchAll(LABELS)].flatMap(([, list = '']) => list.split(/, ?/)))
  return [...labels].flatMap((label) => {
    const found = byLabel.get(label)
    return found ? [{ label, documentId: found.documentId, version: found.version, chunk: found.chunk }] : []
  })
}
