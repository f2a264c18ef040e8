import type { Span } from './shell-words.ts'
import { type Is, type Rule, fits, program, spanOf } from './word-rules.ts'

const INTERPRETER_NAME = /^(?:\w*sh|python\d?|perl|node|ruby)\b/
const INTERPRETER: Is = (word) => word.text.split('/').some((part) => INTERPRETER_NAME.test(part))
const PASSES_ON = program('sudo', 'env')
const ENDS_THE_PIPE = /[;&]/
const OPTION = /^-\w+$/
const FETCHES = fits(/^(?:curl|wget)\b/)
const RUNS_TEXT = fits(/(?:^|\W)(?:eval|source|\w*sh)$|^\.$/)

/** The output of a word, perhaps with a certain next word, is piped into an interpreter. */
export const pipedIntoInterpreter =
  (isSource: Is, next?: Is): Rule =>
  (lines) => {
    const words = lines.flat()
    const found: Span[] = []
    let source: Span | undefined
    /** right after a pipe with this output */
    let isBehind = false
    for (const [at, word] of words.entries()) {
      if (ENDS_THE_PIPE.test(word.before)) source = undefined
      if (source === undefined) isBehind = false
      else if (word.before.includes('|')) isBehind = true
      if (source && isBehind && INTERPRETER(word)) found.push(spanOf(source, word))
      isBehind &&= PASSES_ON(word)
      const follower = words[at + 1]
      if (isSource(word) && (next === undefined || (follower !== undefined && next(follower)))) source ??= word
    }
    return found
  }

/** A shell runs a download: `eval "$(curl …)"`, `bash <(curl …)`. */
export const fetchedAsCommand: Rule = (lines) =>
  lines.flatMap((line) =>
    line.flatMap((word, at) => {
      if (!FETCHES(word)) return []
      const opener = word.before.replaceAll(/[\s"']/g, '')
      const isDollar = opener.endsWith('(') && line[at - 1]?.text.endsWith('$') === true
      if (!isDollar && !opener.endsWith('<(') && !opener.endsWith('`')) return []
      // The dollar sign of `$(` is a word.
      const place = isDollar ? at - 2 : at - 1
      const runner = OPTION.test(line[place]?.text ?? '') ? line[place - 1] : line[place]
      return runner !== undefined && RUNS_TEXT(runner) ? [spanOf(runner, word)] : []
    }),
  )
