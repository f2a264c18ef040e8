/** Joins lists into one; the same lists give the identical result, so that what is derived from it can be cached. */
export function sameWhileSame<T>(): (lists: readonly (readonly T[])[]) => readonly T[] {
  const none: readonly T[] = []
  const last = new WeakMap<readonly T[], { readonly lists: readonly (readonly T[])[]; readonly all: readonly T[] }>()
  return (lists) => {
    const [first, ...others] = lists.filter((list) => list.length > 0)
    if (first === undefined) return none
    const found = last.get(first)
    if (found !== undefined && isSame(found.lists, others)) return found.all
    const all = [first, ...others].flat()
    last.set(first, { lists: others, all })
    return all
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at])
}
