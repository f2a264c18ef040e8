import type { Session } from '../../../src/client/index.ts'

export interface Branch {
  readonly id: string
  /** missing where it was deleted */
  readonly session?: Session
  readonly forks: readonly Branch[]
}

/** Forks as a tree. Forks of a deleted conversation hang on the root. */
export function forkTree(root: string, items: readonly Session[]): Branch {
  const known = new Set(items.map(({ id }) => id))
  const below = new Map<string, Session[]>()
  for (const session of items) {
    if (session.id === root) continue
    const parent = session.parent?.sessionId ?? root
    const place = known.has(parent) ? parent : root
    below.set(place, [...(below.get(place) ?? []), session])
  }
  const branch = (id: string, session?: Session): Branch => ({
    id,
    ...(session && { session }),
    forks: (below.get(id) ?? []).map((fork) => branch(fork.id, fork)),
  })
  return branch(
    root,
    items.find(({ id }) => id === root),
  )
}
