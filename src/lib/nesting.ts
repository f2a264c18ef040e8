/** Deeper than anything sensible, but safe for JSON.stringify's stack. */
export const DEEPEST_JSON = 200

/** For messages from outside, so that an error can still be reported for one part of them. */
export const DEEPEST_MESSAGE = 1000

/** Whether a parsed JSON value is nested deeper than this. */
export function isDeeper(value: unknown, levels = DEEPEST_JSON): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

const QUOTE = 34
const BACKSLASH = 92

/** The same for unparsed text, because parsing very deep JSON takes seconds. */
export function nestsDeeper(text: string, levels = DEEPEST_JSON): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if ((depth += step(code)) > levels) return true
  }
  return false
}

function step(code: number): number {
  if (code === 91 || code === 123) return 1
  return code === 93 || code === 125 ? -1 : 0
}

/** Where the string literal that began before `from` ends. */
function endOfString(text: string, from: number): number {
  for (let start = from; ;) {
    const end = text.indexOf('"', start)
    if (end < 0) return text.length
    let slashes = 0
    while (end - slashes > start && text.charCodeAt(end - slashes - 1) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return end
    start = end + 1
  }
}

/** The same for bytes in pieces; `add` returns whether they are nested too deeply by now. */
export function watchNesting(levels = DEEPEST_JSON) {
  let depth = 0
  let isText = false
  let isEscaped = false
  return {
    add(byte: number): boolean {
      if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isText = !isText
      else if (isText) isEscaped = byte === BACKSLASH
      else depth += step(byte)
      return depth > levels
    },
    /** A string literal does not continue on the next line. */
    endLine(): void {
      isText = isEscaped = false
    },
    reset(): void {
      depth = 0
      isText = isEscaped = false
    },
  }
}
