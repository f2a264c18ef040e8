/** Runs work under the same key one after the other, and under different keys at once. */
export function oneAtATime<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const going = new Map<string, Promise<T>>()
  return async (key, work) => {
    for (let before = going.get(key); before; before = going.get(key)) await before.catch(() => {})
    const mine = work()
    going.set(key, mine)
    try {
      return await mine
    } finally {
      going.delete(key)
    }
  }
}
