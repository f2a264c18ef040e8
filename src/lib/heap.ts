import { getHeapStatistics } from 'node:v8'

const LOOK_EVERY_MS = 250

/** How full the heap is in percent. Looked up now and then: asking is not free. */
export function heapPercent(): () => number {
  let lookedAt = -Infinity
  let percent = 0
  return () => {
    const now = performance.now()
    if (now - lookedAt >= LOOK_EVERY_MS) {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
      percent = (used / limit) * 100
      lookedAt = now
    }
    return percent
  }
}
