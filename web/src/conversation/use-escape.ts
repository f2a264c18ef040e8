import { useKeydown } from '../parts/use-keydown.ts'
import { closeSheets } from '../state/preferences.ts'

/** Escape stops, unless something is open or being filled in that it closes or leaves first. */
export function useEscape(stop: (() => void) | undefined): void {
  useKeydown((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (document.querySelector('dialog[open], [role=menu]') || closeSheets()) return
    const field = event.target instanceof Element ? event.target.closest('input, textarea, select') : null
    if (field && !field.closest('.conv-composer')) leave(field)
    else stop?.()
  })
}

/** Keeps what was typed and moves the focus to what is around the field. */
function leave(field: Element): void {
  const around = field.closest<HTMLElement>('article, [role=tabpanel], [role=region]')
  const place = around ?? document.getElementById('main')
  place?.focus({ preventScroll: true })
}
