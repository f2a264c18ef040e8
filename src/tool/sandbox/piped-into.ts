import { type Is, type Rule, fits, program } from './word-rules.ts'

const INTERPRETER_NAME = /^(?:\w*sh|python\d?|perl|node|ruby)\b/
const INTERPRETER: Is = (word) => word.text.split('/').some((part) => INTERPRETER_NAME.test(part))
const PASSES_ON = program('sudo', 'env')
const ENDS_THE_PIPE = /[;&]/
const OPTION = /^-\w+$/
const FETCHES = fits(/^(?:curl|wget)\b/)
const RUNS_TEXT = fits(/(?:^|\W)(?:eval|source|\w*sh)$|^\.$/)

/** What a word is the source of, perhaps together with the word after it, goes through a pipe into an interpreter. */
export const pipedIntoInterpreter =
  (isSource: Is, next?: Is): Rule =>
  (lines) => {
    const words = lines.flat()
    let isFed = false
    /** right behind a pipe that carries it */
    let isBehind = false
    for (const [at, word] of words.entries()) {
      if (ENDS_THE_PIPE.test(word.before)) isFed = isBehind = false
      if (isFed && word.before.includes('|')) isBehind = true
      if (isBehind && INTERPRETER(word)) return true
      isBehind &&= PASSES_ON(word)
      const follower = words[at + 1]
      if (isSource(word) && (next === undefined || (follower !== undefined && next(follower)))) isFed = true
    }
    return false
  }

/** A shell is given what a download prints: `eval "$(curl …)"`, `bash <(curl …)`. */
export const fetchedAsCommand: Rule = (lines) =>
  lines.some((line) =>
    line.some((word, at) => {
      if (!FETCHES(word)) return false
      const opener = word.before.replaceAll(/[\s"']/g, '')
      const isDollar = opener.endsWith('(') && line[at - 1]?.text.endsWith('$') === true
      if (!isDollar && !opener.endsWith('<(') && !opener.endsWith('`')) return false
      // `$(` leaves a word of its own, the dollar sign.
      const place = isDollar ? at - 2 : at - 1
      const runner = OPTION.test(line[place]?.text ?? '') ? line[place - 1] : line[place]
      return runner !== undefined && RUNS_TEXT(runner)
    }),
  )
