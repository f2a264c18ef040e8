/** A function that keeps its last results by a key, for what is asked again and again. */
export function remembering<T>(most: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>()
  return (key, make) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    known.set(key, made)
    const [oldest = ''] = known.keys()
    if (known.size > most) known.delete(oldest)
    return made
  }
}
