/**
 * Joins lists into one; the same lists give the very same one, so that whoever works something out of it can keep that.
 * Only the last way each list was joined is remembered, and no longer than the list itself lives.
 */
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
