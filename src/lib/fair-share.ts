/**
 * Places that everybody may use up to a limit. When they are all taken, who holds less than an equal share still gets
 * one, up to twice the limit: nobody shuts out the others.
 */
export interface Shares {
  /** Takes a place, or nothing if there is none for this one. */
  take(who: string): (() => void) | undefined
  readonly taken: number
}

export function fairShare(limit: number): Shares {
  const held = new Map<string, number>()
  let taken = 0

  return {
    take(who) {
      if (!hasRoom(limit, taken, held.get(who) ?? 0, held.size + (held.has(who) ? 0 : 1))) return undefined
      taken += 1
      held.set(who, (held.get(who) ?? 0) + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        const left = (held.get(who) ?? 1) - 1
        if (left === 0) held.delete(who)
        else held.set(who, left)
      }
    },
    get taken() {
      return taken
    },
  }
}

/** May one who holds `mine` of `taken` places have one more? `many`: how many hold any, that one among them. */
export function hasRoom(limit: number, taken: number, mine: number, many: number): boolean {
  return taken < limit || (mine + 1 <= limit / many && taken < 2 * limit)
}
