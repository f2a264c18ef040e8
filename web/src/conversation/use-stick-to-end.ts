import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Within this many pixels of the end, new text is scrolled to. */
const NEAR_PX = 80

export interface Stick {
  /** the reader is at the end, and stays there while text comes */
  readonly isAtEnd: boolean
  toEnd(): void
  /** stop following: the reader goes somewhere else */
  leave(): void
  /** something is about to change its size because of a click: do not scroll */
  letGrow(): void
}

/** Keeps a scrolled box at its end while the reader is there, and leaves it alone otherwise. */
export function useStickToEnd(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  /** the drawn part does not reach the end */
  isCut: RefObject<boolean>,
): Stick {
  const [isAtEnd, setAtEnd] = useState(true)
  const sticks = useRef(true)
  const set = useCallback(
    (is: boolean): void => {
      sticks.current = is
      setAtEnd(is)
      // The browser's own scroll anchoring would hold the text above the end instead of the end.
      if (box.current) box.current.style.overflowAnchor = is ? 'none' : ''
    },
    [box],
  )

  useEffect(() => {
    const element = box.current
    const inner = content.current
    if (!element || !inner) return
    set(sticks.current)
    let before = element.scrollTop
    const isNear = (): boolean => isNearEnd(element) && !isCut.current
    const scrolled = (): void => {
      // New text also moves the end away: only scrolling up means leaving it.
      if (isNear()) set(true)
      else if (element.scrollTop < before - 1) set(false)
      before = element.scrollTop
    }
    // A ResizeObserver runs before paint, so the new text is never seen below the edge.
    const watching = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    })
    watching.observe(inner)
    watching.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      watching.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [box, content, isCut, set])

  const toEnd = useCallback((): void => {
    set(true)
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [box, set])
  const leave = useCallback((): void => set(false), [set])
  const letGrow = useCallback((): void => {
    if (!sticks.current) return
    sticks.current = false
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const element = box.current
        if (element) set(isNearEnd(element) && !isCut.current)
      }),
    )
  }, [box, isCut, set])

  return { isAtEnd, toEnd, leave, letGrow }
}

const isNearEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
