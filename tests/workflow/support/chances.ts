/** What is left to chance, the same for the same seed. */
export interface Chances {
  below(most: number): number
  one<T>(of: readonly [T, ...T[]]): T
}

/** `SEGNO_PROPERTY_SEED` repeats a run. */
export const chosenSeed = (): number => Number(process.env['SEGNO_PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)

/** Mulberry32. */
export function chances(seed: number): Chances {
  let state = seed >>> 0
  const below = (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most)
  }
  return { below, one: (of) => of[below(of.length)] ?? of[0] }
}
