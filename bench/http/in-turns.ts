/**
 * Measures the sides one after the other, again and again, and changes who begins, so that whatever else happens on
 * the machine happens to all of them. Returns what was measured by side; what is at the same place was measured together.
 */
export async function inTurns<T>(sides: readonly (() => Promise<T>)[], samples: number, warmUp = 1): Promise<T[][]> {
  const measured = sides.map((): T[] => [])
  for (let i = -warmUp; i < samples; i++) {
    for (let j = 0; j < sides.length; j++) {
      const which = (i + warmUp + j) % sides.length
      const side = sides[which] as () => Promise<T>
      const value = await side()
      if (i >= 0) measured[which]?.push(value)
    }
  }
  return measured
}
