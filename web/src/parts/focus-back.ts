import { useCallback, useRef } from 'react'

/** Gives the keyboard to an element that comes back after something else, which had it, stood in its place. */
export function useFocusBack<T extends HTMLElement>() {
  const isWanted = useRef(false)
  const ref = useCallback((element: T | null): void => {
    if (!element || !isWanted.current) return
    isWanted.current = false
    element.focus({ preventScroll: true })
  }, [])
  return {
    ref,
    want: (is: boolean): void => {
      isWanted.current = is
    },
  }
}
