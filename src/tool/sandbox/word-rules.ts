import type { ShellWord } from './shell-words.ts'

export type Line = readonly ShellWord[]
/** Is something in the lines of a command? */
export type Rule = (lines: readonly Line[]) => boolean
export type Is = (word: ShellWord) => boolean

/** A word that fits; the pattern sees one word alone. */
export const fits =
  (pattern: RegExp): Is =>
  (word) =>
    pattern.test(word.text)

/** A word that has one of these names in it, wherever: `x=/bin/rm` has `rm`. */
export const named = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => word.names.some((name) => wanted.has(name))
}

/** A word that ends in one of these names and is followed by an argument. */
export const called = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => wanted.has(word.names.at(-1) ?? '') && SPACE.test(word.after)
}

/** A program by its name, with or without a path before it. */
export const program = (...names: readonly string[]): Is => {
  const wanted = new Set(names)
  return (word) => wanted.has(word.text.slice(word.text.lastIndexOf('/') + 1))
}

const SPACE = /^\s/

/** One word that does. */
export const has = (is: Is): Rule => somewhere((line) => line.some(is))

/** The first, and right after it the others, one after the other. */
export const inARow = (...row: readonly Is[]): Rule =>
  somewhere((line) => line.some((_, at) => row.every((is, n) => line[at + n] !== undefined && is(line[at + n]!))))

/** The first, and anywhere after it in the line (or in the same word) each of the others, in any order. */
export const withArguments = (first: Is, ...others: readonly Is[]): Rule =>
  somewhere((line) => {
    const at = line.findIndex(first)
    return at !== -1 && others.every((is) => line.slice(at).some(is))
  })

/** Anywhere after a first word in the same line, something else. */
export const later = (first: Is, rule: Rule): Rule =>
  somewhere((line) => {
    const at = line.findIndex(first)
    return at !== -1 && rule([line.slice(at)])
  })

export const any =
  (...rules: readonly Rule[]): Rule =>
  (lines) =>
    rules.some((rule) => rule(lines))

function somewhere(isIn: (line: Line) => boolean): Rule {
  return (lines) => lines.some(isIn)
}
