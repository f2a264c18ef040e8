import { createStore } from '../state/store.ts'

/** The window over the page that was asked for, if any. */
export const overlay = createStore<'none' | 'palette' | 'keys' | 'key'>('none')

export const showPalette = (): void => overlay.set('palette')
export const showKeys = (): void => overlay.set('keys')
/** Where a key is entered, also after its window was closed. */
export const showKeyEntry = (): void => overlay.set('key')
export const closeOverlay = (): void => overlay.set('none')
