import { useCallback, useRef } from 'react'

/** Gives the focus back to an element that is drawn again, after a field that replaced it had the focus. */
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
