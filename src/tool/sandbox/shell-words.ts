/** A part of a text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** One word of a command. */
export interface ShellWord extends Span {
  readonly text: string
  /** spaces, quotes and operators before and after it */
  readonly before: string
  readonly after: string
  /** the runs of letters, digits and underscores in it: `/bin/rm` has `bin` and `rm` */
  readonly names: readonly string[]
}

const BETWEEN_WORDS = /([\s;&|()<>`"']+)/
const NOT_A_NAME = /\W+/

/** The words of each line of a command; quotes separate words like spaces, so that commands in strings are seen. */
export function shellLines(text: string): readonly (readonly ShellWord[])[] {
  const lines: ShellWord[][] = [[]]
  const parts = text.split(BETWEEN_WORDS)
  let from = 0
  for (let at = 0; at < parts.length; at += 2) {
    const word = parts[at] ?? ''
    const before = parts[at - 1] ?? ''
    const after = parts[at + 1] ?? ''
    const to = from + word.length
    if (before.includes('\n')) lines.push([])
    if (word !== '') lines.at(-1)?.push({ text: word, before, after, names: word.split(NOT_A_NAME), from, to })
    from = to + after.length
  }
  return lines
}
