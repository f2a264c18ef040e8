import { performance } from 'node:perf_hooks'
import { setTimeout as later } from 'node:timers/promises'

export interface Pace {
  /**
   * Runs many things side by side, each of which says what was wrong. None begins while the machine does not keep up,
   * and what went wrong when it did not is done again: a machine that is busy with other things is not what is tested.
   */
  inTurn(work: () => Promise<string[]>): Promise<string[]>
  stop(): void
}

const LOOK_MS = 20
/** With a share of its time above this the process has enough to do. */
const ENOUGH = 0.6
/** Above this, and for so long, nobody can tell a slow provider from a slow machine. */
const TOO_MUCH = 0.9
const TOO_LONG_MS = 60
const PLACES = 48
const TRIES = 20

export function startPace(): Pace {
  let load = 0
  let overloadedMs = 0
  let free = PLACES
  let last = performance.eventLoopUtilization()
  let entering = Promise.resolve()
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization, active } = performance.eventLoopUtilization(now, last)
    last = now
    load = utilization
    if (load > TOO_MUCH) overloadedMs += active
  }, LOOK_MS)

  const hasRoom = (): boolean => free > 0 && load <= ENOUGH

  /** One by one, each when there is little else to do. */
  function enter(): Promise<void> {
    entering = entering.then(async () => {
      do await later(LOOK_MS / 2)
      while (!hasRoom())
      free -= 1
    })
    return entering
  }

  return {
    async inTurn(work) {
      for (let tries = 1; ; tries++) {
        await enter()
        const before = overloadedMs
        try {
          const troubles = await work()
          if (troubles.length === 0 || overloadedMs - before < TOO_LONG_MS || tries === TRIES) return troubles
        } finally {
          free += 1
        }
      }
    },
    stop: () => clearInterval(looking),
  }
}
