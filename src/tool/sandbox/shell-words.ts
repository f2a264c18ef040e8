/** One word of a command, with what separates it from its neighbours. */
export interface ShellWord {
  readonly text: string
  /** spaces, quotes and operators before and after it */
  readonly before: string
  readonly after: string
  /** the runs of letters, digits and underscores in it: `/bin/rm` has `bin` and `rm` */
  readonly names: readonly string[]
}

const BETWEEN_WORDS = /([\s;&|()<>`"']+)/
const NOT_A_NAME = /\W+/

/**
 * The words of each line of a command. It is no shell: quotes separate words like spaces do, so that a command inside a
 * string is seen like one outside. One pass over the text, however long it is.
 */
export function shellLines(text: string): readonly (readonly ShellWord[])[] {
  const lines: ShellWord[][] = [[]]
  const parts = text.split(BETWEEN_WORDS)
  for (let at = 0; at < parts.length; at += 2) {
    const word = parts[at] ?? ''
    const before = parts[at - 1] ?? ''
    if (before.includes('\n')) lines.push([])
    if (word !== '')
      lines.at(-1)?.push({ text: word, before, after: parts[at + 1] ?? '', names: word.split(NOT_A_NAME) })
  }
  return lines
}
