import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Item } from '../log/session-log.ts'
import type { Follower } from '../state/follow-session.ts'

/** So many items are drawn at first, and so many more with each step up. */
const STEP = 60
/** The next step is taken when the reader is this near the top. */
const NEAR_TOP_PX = 1500

/** The part of a conversation that is drawn: its end, and more of it as the reader goes up. */
export function usePart(follower: Follower, items: readonly Item[], first: number, box: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState(STEP)
  const shown = items.slice(-size)
  const anchor = useRef<{ readonly key: string; readonly top: number }>(null)
  const isLoading = useRef(false)
  const hasMore = size < items.length || first > 1

  /** Remembers where the first item on the screen is, so that it can stay there. */
  const hold = useCallback((): void => {
    const element = box.current
    if (!element) return
    const top = element.getBoundingClientRect().top
    for (const one of element.querySelectorAll<HTMLElement>('[data-key]')) {
      const place = one.getBoundingClientRect()
      if (place.bottom > top) {
        anchor.current = { key: one.dataset['key'] ?? '', top: place.top }
        return
      }
    }
  }, [box])

  const more = useCallback(async (): Promise<boolean> => {
    if (isLoading.current) return true
    if (size < items.length) {
      hold()
      setSize(size + STEP)
      return true
    }
    isLoading.current = true
    try {
      return await follower.loadEarlier()
    } catch {
      return false
    } finally {
      isLoading.current = false
    }
  }, [follower, hold, items.length, size])

  useEffect(() => {
    const element = box.current
    if (!element || !hasMore) return
    const look = (): void => {
      if (element.scrollTop < NEAR_TOP_PX) void more()
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box, hasMore, more])

  const key = shown[0]?.key
  useLayoutEffect(() => {
    const element = box.current
    const held = anchor.current
    anchor.current = null
    if (!element || !held) return
    const one = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(held.key)}"]`)
    if (one) element.scrollTop += one.getBoundingClientRect().top - held.top
  }, [box, key])

  return {
    shown,
    hasMore,
    /** Draws enough for an item to be among it. */
    reach(place: number): void {
      setSize((now) => Math.max(now, items.length - place + 5))
    },
    /** Back to the end only: what is far above need not be kept. */
    shrink: useCallback((): void => setSize(STEP), []),
  }
}
