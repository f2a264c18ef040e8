/** Deeper than anything sensible, and far from where writing it as JSON again would exhaust the stack. */
export const DEEPEST_JSON = 200

/** A message of somebody else may be as deep as this: what is wrong with a part of it can then still be told of that part. */
export const DEEPEST_MESSAGE = 1000

/** Is a value that was read from JSON nested deeper than so many levels? */
export function isDeeper(value: unknown, levels = DEEPEST_JSON): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

const QUOTE = 34
const BACKSLASH = 92

/** The same of a text that is still to be read as JSON: reading what is nested a million times takes seconds. */
export function nestsDeeper(text: string, levels = DEEPEST_JSON): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if ((depth += step(code)) > levels) return true
  }
  return false
}

/** One level more for an opening bracket or brace, one less for a closing one. */
function step(code: number): number {
  if (code === 91 || code === 123) return 1
  return code === 93 || code === 125 ? -1 : 0
}

/** Where the text in quotes that began before `from` ends. */
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

/** The same of bytes that come in pieces. `add` says whether they are nested too deeply by now. */
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
    /** No text goes on over the end of a line. */
    endLine(): void {
      isText = isEscaped = false
    },
    reset(): void {
      depth = 0
      isText = isEscaped = false
    },
  }
}
