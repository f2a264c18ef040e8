import { Problem } from '../../contract/problem.ts'

/** Turns texts into vectors: the nearer the meaning, the nearer the vectors. */
export interface Embedder {
  /** names the model; only vectors of the same key can be compared */
  readonly key: string
  readonly dimensions: number
  /**
   * One vector for each text, in their order, each of length 1, so that the dot product of two is their cosine. Throws
   * a Problem for a text that cannot be embedded (empty, too long) and where the model fails, and the reason of an
   * abort; never gives fewer vectors than texts.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/** Throws a Problem for what is no list of texts with something in them. */
export function checkTexts(texts: readonly unknown[]): asserts texts is readonly string[] {
  if (!Array.isArray(texts)) throw badText('texts', 'expected a list of texts')
  texts.forEach((text: unknown, at) => {
    if (typeof text !== 'string') throw badText(`texts[${at}]`, `expected a text, got ${kindOf(text)}`)
    if (text.trim() === '') throw badText(`texts[${at}]`, 'is empty; leave out what has no words to embed')
  })
}

export function badText(field: string, fault: string): Problem {
  return new Problem('VALIDATION_ERROR', `${field}: ${fault}.`, { field })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

/** The vector with the same direction and length 1; undefined if it has no direction. */
export function toLengthOne(vector: ArrayLike<number>): Float32Array | undefined {
  const numbers = Float64Array.from(vector)
  const length = Math.hypot(...numbers)
  return Number.isFinite(length) && length > 0 ? Float32Array.from(numbers, (number) => number / length) : undefined
}
