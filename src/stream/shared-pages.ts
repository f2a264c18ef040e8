import type { EventSlice } from '../store/index.ts'
import { charsOf, type EventFrame } from './frame.ts'

/** Some events of a log; `isLast` if there are no more now. */
export interface Page {
  readonly frames: readonly EventFrame[]
  readonly isLast: boolean
}

interface Kept {
  readonly sessionId: string
  readonly page: Promise<Page>
  chars: number
}

/**
 * Reads each page of a log, and makes its JSON, once for several readers. Only whole pages are kept, since they never
 * change, and only while at least two read the log.
 */
export function sharedPages(maxChars: number) {
  /** least recently used first */
  const kept = new Map<string, Kept>()
  const readers = new Map<string, number>()
  let held = 0

  function remove(key: string): void {
    held -= kept.get(key)?.chars ?? 0
    kept.delete(key)
  }

  /** The session is deleted. */
  function forget(sessionId: string): void {
    for (const [key, one] of kept) if (one.sessionId === sessionId) remove(key)
  }

  async function fill(key: string, one: Kept): Promise<Page> {
    try {
      const page = await one.page
      // Forgotten meanwhile.
      if (kept.get(key) !== one) return page
      if (page.isLast) remove(key)
      else {
        // The objects and their JSON.
        one.chars = 2 * page.frames.reduce((sum, frame) => sum + charsOf(frame), 0)
        held += one.chars
        for (const oldest of kept.keys()) {
          if (held <= maxChars) break
          remove(oldest)
        }
      }
      return page
    } catch (error) {
      if (kept.get(key) === one) remove(key)
      throw error
    }
  }

  return {
    /** Counts a reader of this log; returns a function to call when it has finished. */
    enter(sessionId: string): () => void {
      readers.set(sessionId, (readers.get(sessionId) ?? 0) + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (readers.get(sessionId) ?? 1) - 1
        if (left === 0) readers.delete(sessionId)
        else readers.set(sessionId, left)
        if (left < 2) forget(sessionId)
      }
    },
    async get(sessionId: string, after: number, read: () => Promise<EventSlice>): Promise<Page> {
      const key = `${sessionId} ${after}`
      const found = kept.get(key)
      if (found) {
        kept.delete(key)
        kept.set(key, found)
        return found.page
      }
      const isShared = (readers.get(sessionId) ?? 0) > 1
      const page = read().then(({ events, isLast }) => ({
        frames: events.map((event): EventFrame => ({ kind: 'event', event, ...(isShared && { made: new Map() }) })),
        isLast,
      }))
      if (!isShared) return page
      const one = { sessionId, page, chars: 0 }
      kept.set(key, one)
      return fill(key, one)
    },
    forget,
    clear(): void {
      kept.clear()
      held = 0
    },
  }
}
