import { DANGERS } from './dangers.ts'
import { forksWithoutEnd } from './fork-bomb.ts'
import { shellLines } from './shell-words.ts'

const FORK_BOMB = 'fork bomb'

/**
 * Why a command is dangerous, undefined when nothing says so. It is a help for people; what holds is the sandbox. The
 * text is split into words once and each rule looks at each word a fixed number of times: the longest command is read
 * as fast as its length.
 */
export function dangerOf(command: string): string | undefined {
  // Quotes and backslashes inside a word change nothing for a shell: r\m and "rm" are rm. Joined lines are one line.
  const joined = command.replaceAll('\\\n', '')
  const spellings = [...new Set([command, joined, joined.replaceAll(/["'\\]/g, '')])]
  if (spellings.some(forksWithoutEnd)) return FORK_BOMB
  const texts = spellings.map(shellLines)
  return DANGERS.find(([, isSeen]) => texts.some(isSeen))?.[0]
}
