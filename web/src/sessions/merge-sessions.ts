import type { Page, Session } from '../api/shapes.ts'

/** Sessions newest first, as far as they were loaded. */
export interface Loaded {
  readonly items: readonly Session[]
  /** where the next page begins; null when there is none */
  readonly next: string | null
}

/** The newest page was read again: what should be in it and is not is gone, what is older stays as it was known. */
export function withNewest({ items, next }: Loaded, newest: Page<Session>): Loaded {
  const oldest = newest.items.at(-1)
  if (newest.next === null || !oldest) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  // Nothing in common: there may be others in between that nobody has seen.
  if (!items.some(({ id }) => fresh.has(id))) return newest
  const older = items.filter(({ id, createdAt }) => !fresh.has(id) && createdAt <= oldest.createdAt)
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next }
}

export function withOlder({ items }: Loaded, page: Page<Session>): Loaded {
  const known = new Set(items.map(({ id }) => id))
  return { items: [...items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next }
}
