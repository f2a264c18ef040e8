import { Problem } from './problem.ts'

/** Refuses unknown fields, so that a misspelt option does not silently count as missing; `path` is put before names. */
export function refuseUnknownFields(given: unknown, known: readonly string[], what: string, path = ''): void {
  const problem = fieldsProblem(given, known, what, path)
  if (problem) throw problem
}

export function fieldsProblem(given: unknown, known: readonly string[], what: string, path = ''): Problem | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return new Problem('VALIDATION_ERROR', `${what} takes an object here.`, { field: what })
  const name = Object.keys(given).find((one) => !known.includes(one))
  if (name === undefined) return undefined
  const why = `${what} has no option "${name.slice(0, 100)}". Did you mean "${nearest(name, known)}"?`
  return new Problem('VALIDATION_ERROR', why, { field: `${path}${name}` })
}

/** The word with the smallest edit distance, undefined if that exceeds `most`. */
export function nearest(word: string, words: readonly string[], most = Infinity): string | undefined {
  const far = words.map((one) => distance(word.slice(0, 100), one))
  const least = Math.min(...far)
  return least <= most ? words[far.indexOf(least)] : undefined
}

function distance(a: string, b: string): number {
  let row = [...Array(b.length + 1).keys()]
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
