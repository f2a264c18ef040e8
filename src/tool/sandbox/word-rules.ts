import type { ShellWord, Span } from './shell-words.ts'

type Line = readonly ShellWord[]
/** Finds something in the lines of a command. */
export type Rule = (lines: readonly Line[]) => readonly Span[]
export type Is = (word: ShellWord) => boolean

/** A word that matches. */
export const fits =
  (pattern: RegExp): Is =>
  (word) =>
    pattern.test(word.text)

/** A word that contains one of these names: `x=/bin/rm` contains `rm`. */
export const named = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => word.names.some((name) => wanted.has(name))
}

/** A word that ends in one of these names and is followed by an argument. */
export const called = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => wanted.has(word.names.at(-1) ?? '') && SPACE.test(word.after)
}

/** A program by its name, with or without a path. */
export const program = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => wanted.has(word.text.slice(word.text.lastIndexOf('/') + 1))
}

const SPACE = /^\s/

/** Any such word. */
export const has = (is: Is): Rule => inLines((line) => line.filter(is))

/** Words that follow each other directly. */
export const inARow = (...row: readonly Is[]): Rule =>
  inLines((line) =>
    line.flatMap((word, at) => {
      const words = line.slice(at, at + row.length)
      return row.every((is, n) => words[n] !== undefined && is(words[n])) ? [spanOf(word, ...words)] : []
    }),
  )

/** The first word, and each of the others later in the line or in the same word, in any order. */
export const withArguments = (first: Is, ...others: readonly Is[]): Rule =>
  inLines((line) => {
    const at = line.findIndex(first)
    const rest = at === -1 ? [] : line.slice(at)
    const found = others.map((is) => rest.find(is))
    return rest[0] && found.every((word) => word !== undefined) ? [spanOf(rest[0], ...found)] : []
  })

/** Something after a first word in the same line. */
export const later = (first: Is, rule: Rule): Rule =>
  inLines((line) => {
    const at = line.findIndex(first)
    const word = line[at]
    return word ? rule([line.slice(at)]).map((span) => spanOf(word, span)) : []
  })

export const any =
  (...rules: readonly Rule[]): Rule =>
  (lines) =>
    rules.flatMap((rule) => rule(lines))

function inLines(find: (line: Line) => readonly Span[]): Rule {
  return (lines) => lines.flatMap(find)
}

/** From the first of some words to the last. */
export function spanOf(...words: readonly [Span, ...Span[]]): Span {
  return { from: Math.min(...words.map(({ from }) => from)), to: Math.max(...words.map(({ to }) => to)) }
}
