import { useEffect, useEffectEvent } from 'react'

/** Hears every key that is pressed on the page. */
export function useKeydown(pressed: (event: KeyboardEvent) => void): void {
  const latest = useEffectEvent(pressed)
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => latest(event)
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
