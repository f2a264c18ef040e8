import { createContext, type Context, Script } from 'node:vm'

/** Longer than any reasonable pattern takes, but short for everybody who waits. */
const MATCH_MS = 100
const LITTLE_WORK = 1_000_000
const REPEATED_GROUP = /\)[*+{]/
const REPETITION = /[*+]|,\}/g

const run = new Script('pattern.test(text)')
let context: Context | undefined

/**
 * Tests a script's pattern against a message; a pattern that could be slow runs with a deadline and otherwise does not
 * match.
 */
export function matchesWhen(pattern: RegExp, text: string): boolean {
  if (isLittleWork(pattern.source, text.length)) return pattern.test(text)
  context ??= createContext({})
  try {
    Object.assign(context, { pattern, text })
    return run.runInContext(context, { timeout: MATCH_MS }) === true
  } catch {
    return false
  } finally {
    Object.assign(context, { pattern: undefined, text: undefined })
  }
}

/** Each repetition may be tried at each length from each character. */
function isLittleWork(source: string, length: number): boolean {
  const repetitions = source.match(REPETITION)?.length ?? 0
  if (repetitions === 0) return true
  return !REPEATED_GROUP.test(source) && length ** (repetitions + 1) <= LITTLE_WORK
}
