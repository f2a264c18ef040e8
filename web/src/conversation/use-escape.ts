import { useEffect, useRef } from 'react'
import { closeSheets } from '../state/preferences.ts'

/** Escape stops, unless something is open or being filled in that it closes or leaves first. */
export function useEscape(stop: (() => void) | undefined): void {
  const latest = useRef(stop)
  latest.current = stop
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (document.querySelector('dialog[open], [role=menu]') || closeSheets()) return
      const field = event.target instanceof Element ? event.target.closest('input, textarea, select') : null
      if (field && !field.closest('.conv-composer')) leave(field)
      else latest.current?.()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}

/** What was typed stays; the keyboard goes to what is around the field. */
function leave(field: Element): void {
  const around = field.closest<HTMLElement>('article, [role=tabpanel], [role=region]')
  const place = around ?? document.getElementById('main')
  place?.focus({ preventScroll: true })
}
