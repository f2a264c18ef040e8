import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** How late the event loop is, since it was last asked. Nothing is measured, and nothing costs, before the first time. */
export function eventLoopLag(): { take(): { mean: number; max: number }; stop(): void } {
  let monitor: ReturnType<typeof monitorEventLoopDelay> | undefined
  return {
    take() {
      if (!monitor) {
        monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
        monitor.enable()
        return { mean: 0, max: 0 }
      }
      const { mean, max, count } = monitor
      monitor.reset()
      return count === 0 ? { mean: 0, max: 0 } : { mean: late(mean), max: late(max) }
    },
    stop: () => void monitor?.disable(),
  }
}

/** What is measured is the time between two ticks, which includes the time it should have been. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)
