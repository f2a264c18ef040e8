import { visibleText } from '../lib/visible.ts'

/**
 * A message as a Markdown quote. HTML is escaped and an image becomes a link, so that neither can look like somebody
 * else or load anything. Code stays as it is, until Markdown readers could disagree on where it ends.
 */
export function quoted(text: string): string {
  const isCertain = { fences: true, spans: true }
  let fence: RegExp | undefined
  const lines = visibleText(text)
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (!isCertain.fences) return shown(line)
      if (fence) {
        if (!fence.test(line)) return line
        // Readers disagree on whether an indented mark ends it.
        isCertain.fences = !/^\s/.test(line)
        fence = undefined
        return line
      }
      fence = fenceEnd(line)
      if (fence) return shown(line)
      // A fence in a list or a quote, or an indented one.
      if (/`{3}|~{3}/.test(line)) isCertain.fences = false
      if (line.trim() === '') isCertain.spans = true
      return isCertain.fences ? withSpans(line, isCertain) : shown(line)
    })
  return `${lines.map((line) => `> ${line}`).join('\n')}\n`
}

/** The end of the code block that begins here, at any indentation. */
function fenceEnd(line: string): RegExp | undefined {
  const [, mark] = /^(`{3,})[^`]*$/.exec(line) ?? /^(~{3,})/.exec(line) ?? []
  return mark === undefined ? undefined : new RegExp(String.raw`^\s*${mark}${mark.charAt(0)}*\s*$`)
}

/** Code between two equally long marks in one line; a single mark may have its end in the next line. */
function withSpans(line: string, isCertain: { spans: boolean }): string {
  const parts = line.split(/(`+)/)
  let safe = ''
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    if (at % 2 === 0 || !isCertain.spans) {
      safe += shown(part)
      continue
    }
    const end = parts.indexOf(part, at + 1)
    const span = parts.slice(at, end + 1).join('')
    // In a table a bar ends the cell.
    isCertain.spans = end > at && !span.includes('|') && !parts[at - 1]?.endsWith('\\')
    safe += isCertain.spans ? span : part
    if (isCertain.spans) at = end
  }
  return safe
}

const shown = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('![', '&#33;[')
