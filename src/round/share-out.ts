import type { LiveSession } from './live-session.ts'
import type { Slots } from './slots.ts'

/** The other nodes on the same database, as of a few seconds ago. */
export interface OtherNodes {
  /** how many nodes are alive, including this one */
  living(): number
  /** how many more rounds could run on the others */
  free(): number
  /** tells another owner that an input was stored; if that fails, the owner finds it later */
  wake(where: string, sessionId: string): void
}

/** For a process that has its database to itself. */
export const NO_OTHERS: OtherNodes = { living: () => 1, free: () => 0, wake: () => {} }

/** How long other nodes may not know yet of sessions that were left to them. */
const NEWS_MS = 3000

/** Leaves sessions that wait for a slot to nodes with a free one. */
export function createSharing(others: OtherNodes, slots: Slots, maxRounds: number, now: () => number) {
  let letGo: number[] = []

  const free = (): number => Math.max(0, maxRounds - slots.taken - slots.waiting)

  return {
    /** How many sessions without an owner this process may take now. */
    get most(): number {
      if (others.living() <= 1) return Infinity
      // If no node has a free slot, one at a time is still taken, because it may not need one.
      return free() || (others.free() > 0 ? 0 : 1)
    },
    /** Lets go of the last sessions in line, as many as other nodes have slots for. */
    letGo(waiting: Iterable<LiveSession>): void {
      if (others.free() === 0) return
      letGo = letGo.filter((at) => at > now() - NEWS_MS)
      const most = others.free() - letGo.length
      if (most <= 0) return
      for (const one of [...waiting].slice(-most)) {
        one.letGo()
        letGo.push(now())
      }
    },
  }
}
