import { createContext, type Context, Script } from 'node:vm'

/** Longer than any honest pattern takes, and short for everybody who waits meanwhile. */
const MATCH_MS = 100
const LITTLE_WORK = 1_000_000
const REPEATED_GROUP = /\)[*+{]/
const REPETITION = /[*+]|,\}/g

const run = new Script('pattern.test(text)')
let place: Context | undefined

/**
 * Does a pattern of a script match what a user wrote? Patterns are the operator's and not always linear, texts are
 * anybody's: what could take long is run with a deadline, and what is not done by then does not match.
 */
export function matchesWhen(pattern: RegExp, text: string): boolean {
  if (isLittleWork(pattern.source, text.length)) return pattern.test(text)
  place ??= createContext({})
  try {
    Object.assign(place, { pattern, text })
    return run.runInContext(place, { timeout: MATCH_MS }) === true
  } catch {
    return false
  } finally {
    Object.assign(place, { pattern: undefined, text: undefined })
  }
}

/** Each repetition may be tried at each length, from each character on. */
function isLittleWork(source: string, length: number): boolean {
  const repetitions = source.match(REPETITION)?.length ?? 0
  if (repetitions === 0) return true
  return !REPEATED_GROUP.test(source) && length ** (repetitions + 1) <= LITTLE_WORK
}
