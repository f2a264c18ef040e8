const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})$/
const LIST_QUOTE_OR_TABLE = /^ {0,3}(?:[-+*>|#]|\d{1,9}[.)])/
/** More is not shown of any heading. */
const MOST_TITLE_CHARS = 300

/** The heading that a line of Markdown is. */
export function headingOf(line: string): { readonly level: number; readonly title: string } | undefined {
  const marks = HEADING.exec(line)?.[1]
  if (marks === undefined) return undefined
  const title = line.trim().slice(marks.length)
  return { level: marks.length, title: plainTitle(withoutClosingMarks(title)) }
}

/** Whether the line makes a heading of the one above it. */
export function isUnderline(line: string): boolean {
  return UNDERLINE.test(line.trimEnd())
}

/** Below a list, a quote or a table such a line is a rule. */
export function mayBeUnderlined(line: string): boolean {
  return !LIST_QUOTE_OR_TABLE.test(line)
}

/** A title as people read it, without the marks of Markdown. */
export function plainTitle(title: string): string {
  const start = title.trimStart().slice(0, MOST_TITLE_CHARS).toWellFormed()
  return start
    .replaceAll('**', '')
    .replaceAll('`', '')
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replaceAll(/\s/g, ' ')
    .trim()
}

/** `## Title ##` is the title `Title`; `## C#` is `C#`. */
function withoutClosingMarks(title: string): string {
  let end = title.length
  while (end > 0 && title.charAt(end - 1) === '#') end -= 1
  return end === 0 || title.charAt(end - 1).trim() === '' ? title.slice(0, end) : title
}
