export interface Hit {
  readonly line: number
  readonly text: string
}

const LONGEST_LINE = 2000
const SHOWN_CHARS = 300

/** The first lines of a text that pass; of a very long line only the beginning is tested. */
export function findLines(text: string, passes: (line: string) => boolean, most: number): Hit[] {
  const hits: Hit[] = []
  let start = 0
  for (let line = 1; start <= text.length && hits.length < most; line += 1) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const content = text.slice(start, Math.min(end, start + LONGEST_LINE))
    if (passes(content)) hits.push({ line, text: shown(content) })
    start = end + 1
  }
  return hits
}

function shown(line: string): string {
  const text = line.trim()
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS).toWellFormed()}…`
}
