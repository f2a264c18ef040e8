import { getHeapStatistics } from 'node:v8'

const READ_EVERY_MS = 250

/** How full the heap is in percent, read only now and then because reading is not free. */
export function heapPercent(): () => number {
  let readAt = -Infinity
  let percent = 0
  return () => {
    const now = performance.now()
    if (now - readAt >= READ_EVERY_MS) {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
      percent = (used / limit) * 100
      readAt = now
    }
    return percent
  }
}
