import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Item } from '../log/session-log.ts'
import type { Follower } from '../state/follow-session.ts'
import { around, boundsOf, grownDown, grownUp, type DrawnRange } from './drawn-range.ts'

/** More is drawn when the reader is this near an end of what is drawn. */
const NEAR_PX = 1500
const THE_END: DrawnRange = {}

/** The part of a conversation that is drawn: its end, and more of it as the reader goes up. */
export function useDrawnRange(
  follower: Follower,
  items: readonly Item[],
  first: number,
  box: RefObject<HTMLElement | null>,
) {
  const [range, setRange] = useState<DrawnRange>(THE_END)
  const [start, end] = boundsOf(range, items)
  const anchor = useRef<{ readonly key: string; readonly top: number }>(null)
  const hasMore = start > 0 || first > 1
  const hasLater = end < items.length

  /** Remembers where the first item on the screen is, so that it can stay there. */
  const hold = useCallback((): void => {
    const element = box.current
    if (!element) return
    const top = element.getBoundingClientRect().top
    for (const one of element.querySelectorAll<HTMLElement>('[data-key]')) {
      const place = one.getBoundingClientRect()
      if (place.bottom <= top) continue
      anchor.current = { key: one.dataset['key'] ?? '', top: place.top }
      return
    }
  }, [box])

  const look = useCallback((): void => {
    const element = box.current
    if (!element) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    if (element.scrollTop < NEAR_PX && start > 0) {
      hold()
      setRange((before) => grownUp(before, items))
    } else if (element.scrollTop < NEAR_PX && first > 1) {
      void follower.loadEarlier().catch(() => {})
    } else if (below < NEAR_PX && hasLater) {
      hold()
      setRange((before) => grownDown(before, items))
    }
  }, [box, first, follower, hasLater, hold, items, start])

  useEffect(() => {
    const element = box.current
    if (!element || (!hasMore && !hasLater)) return
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box, hasLater, hasMore, look])

  useLayoutEffect(() => {
    const element = box.current
    const held = anchor.current
    anchor.current = null
    if (!element || !held) return
    const one = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(held.key)}"]`)
    if (one) element.scrollTop += one.getBoundingClientRect().top - held.top
  }, [box, range])

  return {
    shown: items.slice(start, end),
    hasMore,
    hasLater,
    look,
    /** Draws an item and some around it. */
    reach: (place: number): void => setRange(around(place, items)),
    /** Goes back to drawing only the end. */
    showEnd: useCallback((): void => {
      anchor.current = null
      setRange(THE_END)
    }, []),
  }
}
