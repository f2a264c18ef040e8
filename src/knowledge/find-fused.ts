/**
 * Reciprocal rank fusion: what several lists have near their beginning comes first. The weights were chosen on one half
 * of the questions in tests/knowledge/questions.json, with the built-in model (npm run bench:retrieval).
 */
export const FUSION = { k: 2, words: 1, meaning: 0.4 } as const

export interface Fusion {
  /** the larger, the less the first places count more than the next ones */
  readonly k: number
  readonly words: number
  readonly meaning: number
}

interface Lists<T> {
  readonly byWords: readonly T[]
  readonly byMeaning: readonly T[]
}

/** The best of two lists of the same things, named by `keyOf`, with their scores: at most 1, first in both lists. */
export function fuse<T>(
  { byWords, byMeaning }: Lists<T>,
  keyOf: (one: T) => string,
  limit: number,
  { k, words, meaning }: Fusion = FUSION,
): (T & { readonly score: number })[] {
  const most = (words + meaning) / (k + 1)
  const found = new Map<string, { one: T; score: number }>()
  const add = (list: readonly T[], weight: number): void => {
    for (const [at, one] of list.entries()) {
      const key = keyOf(one)
      const score = weight / (k + at + 1) / most
      const before = found.get(key)
      if (before) before.score += score
      else found.set(key, { one, score })
    }
  }
  add(byWords, words)
  add(byMeaning, meaning)
  return [...found.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ one, score }) => ({ ...one, score }))
}
