import { setTimeout as later } from 'node:timers/promises'

export interface Pace {
  /**
   * Runs many things side by side, each of which says what was wrong. None begins while the machine does not keep up,
   * and what went wrong when it did not is done again: a machine that is busy with other things is not what is tested.
   */
  inTurn(work: () => Promise<string[]>): Promise<string[]>
  stop(): void
}

const TICK_MS = 10
/** Late by this much, the machine has enough to do. */
const BUSY_MS = 20
/** Late by this much in all, nobody can tell a slow provider from a slow machine. */
const LATE_MS = 60
const PLACES = 48
const TRIES = 20

export function startPace(): Pace {
  let last = performance.now()
  let busyAt = -Infinity
  /** all that it was late, small delays aside */
  let lateMs = 0
  let free = PLACES
  let entering = Promise.resolve()
  const ticking = setInterval(() => {
    const now = performance.now()
    const late = now - last - TICK_MS
    if (late > BUSY_MS) {
      busyAt = now
      lateMs += late
    }
    last = now
  }, TICK_MS)

  /** One by one, each when the machine has little else to do. */
  function enter(): Promise<void> {
    entering = entering.then(async () => {
      do await later(TICK_MS)
      while (free === 0 || performance.now() - busyAt < 3 * TICK_MS)
      free -= 1
    })
    return entering
  }

  return {
    async inTurn(work) {
      for (let tries = 1; ; tries++) {
        await enter()
        const before = lateMs
        try {
          const troubles = await work()
          if (troubles.length === 0 || lateMs - before < LATE_MS || tries === TRIES) return troubles
        } finally {
          free += 1
        }
      }
    },
    stop: () => clearInterval(ticking),
  }
}
