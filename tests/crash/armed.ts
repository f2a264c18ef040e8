import { hear } from './hear.ts'
import type { Kill } from './plan.ts'
import type { Hit } from './points.ts'

/** The way this process dies: SIGKILL to itself, so that nothing is closed, flushed or caught. */
export function armed(first: Kill | undefined): { hit: Hit; arm(kill: Kill | undefined): void } {
  let kill = first
  let count = 0
  return {
    hit(point) {
      if (kill?.point !== point || ++count !== kill.nth) return
      hear({ type: 'dying', point })
      process.kill(process.pid, 'SIGKILL')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    },
    arm(next) {
      if (next === kill) return
      kill = next
      count = 0
    },
  }
}
