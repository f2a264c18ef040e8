import type { StoredMemory } from '../store/index.ts'

type Vector = StoredMemory['vector']

/** How near two vectors of length 1 are; undefined if they cannot be compared. */
export function cosine(one: Vector, other: Vector): number | undefined {
  if (!one || !other || one.model !== other.model) return undefined
  let product = 0
  // A round compares hundreds, and a function for each number takes ten times as long.
  for (let at = 0; at < one.values.length; at += 1) product += (one.values[at] ?? 0) * (other.values[at] ?? 0)
  return product
}
