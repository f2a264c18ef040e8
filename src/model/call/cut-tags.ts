/** What is held back of a text because it may become a tag; longer ones are text. */
const MOST_CHARS = 300
const WORD = 'remember'

/**
 * Takes `[REMEMBER: …]` out of a text that comes in pieces, wherever they are split. A text without a bracket is only
 * searched for one.
 */
export function cutTags() {
  const tags: string[] = []
  /** begins with a bracket that may begin a tag */
  let held = ''
  /** the end of what was let through */
  let before = ''
  /** the end of that, where it begins a tag that what stands behind one that was cut out could complete */
  let begun = ''
  /** blanks behind a tag go too, where there are some before it */
  let skipsBlanks = false

  function through(text: string): string {
    before = (before + text.slice(-MOST_CHARS)).slice(-MOST_CHARS)
    return text
  }

  /** What can be let through of a text that begins where the last one ended. */
  function read(text: string): string {
    let out = ''
    for (let rest = text; ;) {
      if (skipsBlanks) {
        rest = rest.trimStart()
        skipsBlanks = rest === ''
      }
      if (begun !== '') {
        const end = endOfTag(begun + rest.slice(0, MOST_CHARS))
        if (end === undefined) {
          held = rest
          return out
        }
        // Nobody said this tag, so it says nothing.
        if (end > 0) {
          rest = rest.slice(end - begun.length)
          skipsBlanks = before.slice(-1).trim() === ''
        } else begun = beginningIn(begun.slice(1))
        continue
      }
      const at = rest.indexOf('[')
      if (at < 0) return out + through(rest)
      out += through(rest.slice(0, at))
      rest = rest.slice(at)
      const end = endOfTag(rest)
      if (end === undefined) {
        held = rest
        return out
      }
      if (end === 0) {
        out += through('[')
        rest = rest.slice(1)
        continue
      }
      const words = rest.slice(rest.indexOf(':') + 1, end - 1).trim()
      if (words !== '') tags.push(words)
      rest = rest.slice(end)
      skipsBlanks = before.slice(-1).trim() === ''
      begun = beginningIn(before)
    }
  }

  return {
    /** what the tags said, in their order */
    tags,
    push(text: string): string {
      if (held === '' && begun === '' && !skipsBlanks && !text.includes('[')) return through(text)
      const all = held + text
      held = ''
      return read(all)
    },
    /** What was held back and is no tag, because the text ends here. */
    end(): string {
      const text = held
      held = ''
      return text
    },
  }
}

/** Where the tag ends that a text begins with; 0: it is none; undefined: the text ends before that can be said. */
function endOfTag(text: string): number | undefined {
  const begun = text.slice(0, MOST_CHARS)
  let at = blanksEnd(begun, 1)
  for (const letter of WORD) {
    if (at === begun.length) return open(begun)
    if (begun[at]?.toLowerCase() !== letter) return 0
    at += 1
  }
  at = blanksEnd(begun, at)
  if (at === begun.length) return open(begun)
  if (begun[at] !== ':') return 0
  const end = begun.indexOf(']', at)
  return end < 0 ? open(begun) : end + 1
}

/** What a text ends with, if that may become a tag. */
function beginningIn(text: string): string {
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1))
    if (endOfTag(text.slice(at)) === undefined) return text.slice(at)
  return ''
}

const open = (begun: string): 0 | undefined => (begun.length < MOST_CHARS ? undefined : 0)

function blanksEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at]?.trim() === '') at += 1
  return at
}
