import type { Page, Session } from '../api/shapes.ts'

/** Sessions, the last used first, as far as they were loaded. */
export interface Loaded {
  readonly items: readonly Session[]
  /** where the next page begins; null when there is none */
  readonly next: string | null
}

/** The newest page was read again: what should be in it and is not is gone, what is older stays as it was known. */
export function withNewest({ items, next }: Loaded, newest: Page<Session>): Loaded {
  const oldest = newest.items.at(-1)
  if (newest.next === null || !oldest) return newest
  const usedAt = new Map(newest.items.map((session) => [session.id, session.usedAt]))
  // Whatever was used since stands above one that was not. Without such a one there may be others in between that
  // nobody has seen.
  if (!items.some((session) => usedAt.get(session.id) === session.usedAt)) return newest
  const older = items.filter((session) => !usedAt.has(session.id) && session.usedAt <= oldest.usedAt)
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next }
}

export function withOlder({ items }: Loaded, page: Page<Session>): Loaded {
  const known = new Set(items.map(({ id }) => id))
  return { items: [...items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next }
}
