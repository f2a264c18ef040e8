export type Shares = ReturnType<typeof fairShare>

/**
 * Slots up to a limit; when all are taken, somebody with less than an equal share still gets one, up to twice the
 * limit.
 */
export function fairShare(limit: number) {
  const held = new Map<string, number>()
  let taken = 0

  return {
    /** Takes a slot and returns a function that frees it, undefined if there is none. */
    take(who: string): (() => void) | undefined {
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
    get taken(): number {
      return taken
    },
  }
}

/** Whether somebody with `mine` of `taken` slots may have one more; `many` is how many hold any, including them. */
export function hasRoom(limit: number, taken: number, mine: number, many: number): boolean {
  return taken < limit || (mine + 1 <= limit / many && taken < 2 * limit)
}
