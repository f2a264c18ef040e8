import type { Page, Session } from '../../../src/client/index.ts'

/** Sessions, the last used first, as far as they were loaded. */
export interface Loaded {
  readonly items: readonly Session[]
  /** where the next page begins; null when there is none */
  readonly next: string | null
}

/** Merges a newly read first page: a session missing from it is gone, older ones stay. */
export function withNewest({ items, next }: Loaded, newest: Page<Session>): Loaded {
  const oldest = newest.items.at(-1)
  if (newest.next === null || !oldest) return newest
  const usedAt = new Map(newest.items.map((session) => [session.id, session.usedAt]))
  // Without a session that did not move there may be others in between that were never loaded.
  if (!items.some((session) => usedAt.get(session.id) === session.usedAt)) return newest
  const older = items.filter((session) => !usedAt.has(session.id) && session.usedAt <= oldest.usedAt)
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next }
}

export function withOlder({ items }: Loaded, page: Page<Session>): Loaded {
  const known = new Set(items.map(({ id }) => id))
  return { items: [...items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next }
}
