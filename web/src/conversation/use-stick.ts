import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Who is this near the end reads along. */
const NEAR_PX = 80

export interface Stick {
  /** the reader is at the end, and stays there while text comes */
  readonly isAtEnd: boolean
  toEnd(): void
  /** the reader goes somewhere else: what comes does not pull them back */
  leave(): void
  /** something is about to change its size because the reader wants it */
  letGrow(): void
}

/** Keeps a scrolled box at its end while the reader is there, and leaves it alone otherwise. */
export function useStick(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  /** what is drawn does not reach the end: its lower edge is none */
  isCut: RefObject<boolean>,
): Stick {
  const [isAtEnd, setAtEnd] = useState(true)
  const sticks = useRef(true)
  const set = useCallback(
    (is: boolean): void => {
      sticks.current = is
      setAtEnd(is)
      // At the end the end is held, not what stands above it: a browser that held that would seem to scroll up.
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
      // Text that comes makes the end go away; only who scrolls up goes away from the end.
      if (isNear()) set(true)
      else if (element.scrollTop < before - 1) set(false)
      before = element.scrollTop
    }
    // Told after layout and before paint: nobody sees the text below the edge.
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
