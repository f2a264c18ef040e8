import { Problem } from '../../contract/problem.ts'

/** Turns texts into vectors whose distance reflects their meaning. */
export interface Embedder {
  /** names the model; only vectors with the same key are comparable */
  readonly key: string
  readonly dimensions: number
  /**
   * One vector of length 1 per text, in order, so that dot products are cosines; throws a Problem for an empty or too
   * long text and if the model fails.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/** Throws a Problem unless it is a list of texts that are not blank. */
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

/** The vector scaled to length 1; undefined for a zero or infinite one. */
export function toLengthOne(vector: ArrayLike<number>): Float32Array | undefined {
  const numbers = Float64Array.from(vector)
  const length = Math.hypot(...numbers)
  return Number.isFinite(length) && length > 0 ? Float32Array.from(numbers, (number) => number / length) : undefined
}
