import type { Inline } from './markdown-tree.ts'

/** What parse-markdown.ts makes, and the label of a passage. */
export type Shown = Inline | { readonly type: 'cite'; readonly label: string }

/** As models write them: one label, or several with commas. */
const LABELS = /\[(k\d{1,9}(?:, ?k\d{1,9}){0,9})\]/

/** The same inlines with each label that stands for a passage on its own; other labels stay text. */
export function withCitations(inlines: readonly Inline[], known: ReadonlySet<string>): readonly Shown[] {
  const cited: Shown[] = []
  // A bracket is a text of its own, so labels are looked for in what stands together.
  for (let at = 0; at < inlines.length; at++) {
    let text = ''
    const start = at
    for (let one = inlines[at]; one?.type === 'text'; one = inlines[++at]) text += one.text
    if (at > start) cited.push(...splitText(text, known))
    const other = inlines[at]
    if (other) cited.push(other)
  }
  return cited
}

function splitText(text: string, known: ReadonlySet<string>): Shown[] {
  // Every second part is what stood between brackets.
  return text.split(LABELS).flatMap((part, at): Shown[] => {
    if (at % 2 === 0) return part === '' ? [] : [{ type: 'text', text: part }]
    const labels = part.split(/, ?/)
    if (!labels.some((label) => known.has(label))) return [{ type: 'text', text: `[${part}]` }]
    return labels.map((label) => (known.has(label) ? { type: 'cite', label } : { type: 'text', text: `[${label}]` }))
  })
}
