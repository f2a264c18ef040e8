import { useContext, useEffect } from 'react'
import { useAskKey } from '../conversation/ask-focus.ts'
import { lazyComponent } from '../parts/lazy-component.tsx'
import { isTyping } from '../parts/is-typing.ts'
import { useKeydown } from '../parts/use-keydown.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { prefer } from '../state/preferences.ts'
import { useRoute } from '../state/route.ts'
import { SessionContext } from '../state/session.ts'
import { createStore, useStore } from '../state/store.ts'
import type { Followed } from '../state/follow-session.ts'
import { visibleText } from '../text/visible.ts'
import { closeOverlay, overlay, showKeys, showPalette } from './overlay.ts'
import { PaletteDialog } from './palette-dialog.tsx'
import { SEARCH_ID } from './sidebar.tsx'

const KeysDialog = lazyComponent(async () => (await import('./keys-dialog.tsx')).KeysDialog)
const PreferencesDialog = lazyComponent(async () => (await import('./preferences-dialog.tsx')).PreferencesDialog)
const NOTHING = createStore<Followed | undefined>(undefined)

/** The command palette, the list of keys, and the keys that work everywhere. */
export function Palette() {
  const shown = useStore(overlay)
  const follower = useContext(SessionContext)
  const followed = useStore<Followed | undefined>(follower?.state ?? NOTHING)
  const title = useTitle(followed?.session?.title)
  useEffect(() => {
    document.title = title
  }, [title])
  useAskKey()
  useKeydown(pressed)

  if (shown === 'preferences') return <PreferencesDialog onClose={closeOverlay} />
  if (shown === 'keys') return <KeysDialog onClose={closeOverlay} />
  return shown === 'palette' ? <PaletteDialog followed={followed} onClose={closePalette} /> : null
}

/** What was chosen in it may have opened another dialog. */
function closePalette(): void {
  if (overlay.get() === 'palette') closeOverlay()
}

function useTitle(title: string | undefined): string {
  const waiting = usePendingAsks().value?.items.length ?? 0
  const route = useRoute()
  const name = route.page === 'operator' ? 'Operator' : route.page === 'session' ? title : undefined
  return `${waiting > 0 ? `(${waiting}) ` : ''}${name === undefined ? '' : `${visibleText(name)} · `}Segno`
}

function pressed(event: KeyboardEvent): void {
  if ((event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    if (overlay.get() === 'palette') closeOverlay()
    else if (!document.querySelector('dialog[open]')) showPalette()
    return
  }
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/') focusSearch()
  else if (event.key === '?') showKeys()
  else return
  event.preventDefault()
}

function focusSearch(): void {
  prefer({ sidebar: true })
  requestAnimationFrame(() => document.getElementById(SEARCH_ID)?.focus())
}
