/** Chance that can be repeated: the same seed, the same throws (mulberry32). */
export interface Dice {
  /** a whole number from `low` to `high`, both included */
  between(low: number, high: number): number
  oneOf<T>(choices: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
}

export function throwDice(seed: number): Dice {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    oneOf: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number],
    shuffled(list) {
      const copy = [...list]
      for (let at = copy.length - 1; at > 0; at--) {
        const other = between(0, at)
        ;[copy[at], copy[other]] = [copy[other] as (typeof list)[number], copy[at] as (typeof list)[number]]
      }
      return copy
    },
  }
}
