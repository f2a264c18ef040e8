import { useEffect, useRef } from 'react'

/** Escape stops, unless something is open that it closes first. */
export function useEscape(stop: (() => void) | undefined): void {
  const latest = useRef(stop)
  latest.current = stop
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (document.querySelector('dialog[open], [role=menu]')) return
      latest.current?.()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
