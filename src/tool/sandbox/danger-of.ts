import { DANGERS } from './dangers.ts'
import { shellLines } from './shell-words.ts'

const NAMES = /([\w:.]+)/

/**
 * Why a command is dangerous, undefined when nothing says so. It is a help for people; what holds is the sandbox. The
 * text is split into words once and each rule looks at each word a fixed number of times: the longest command is read
 * as fast as its length.
 */
export function dangerOf(command: string): string | undefined {
  // Quotes and backslashes inside a word change nothing for a shell: r\m and "rm" are rm. Joined lines are one line.
  const joined = command.replaceAll('\\\n', '')
  const spellings = [...new Set([command, joined, joined.replaceAll(/["'\\]/g, '')])]
  if (spellings.some(forksWithoutEnd)) return 'fork bomb'
  const texts = spellings.map(shellLines)
  return DANGERS.find(([, isSeen]) => texts.some(isSeen))?.[0]
}

/** Does a function pipe into itself in the background, as in `:(){ :|:& };:`? */
function forksWithoutEnd(text: string): boolean {
  const parts = text.split(NAMES)
  const between = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll(/\s/g, '') : ''))
  /** functions whose body is open here */
  const open = new Set<string>()
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? ''
    const after = between[at + 1] ?? ''
    const isPipedIntoItself = after === '|' && parts[at + 2] === name && between[at + 3]?.startsWith('&') === true
    if (isPipedIntoItself && open.has(name)) return true
    if (after.includes('}')) open.clear()
    else if (after.startsWith('(){')) open.add(name)
  }
  return false
}
