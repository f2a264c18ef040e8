import { createStore } from '../state/store.ts'

/** The window over the page that was asked for, if any. */
export const overlay = createStore<'none' | 'palette' | 'keys'>('none')

export const showPalette = (): void => overlay.set('palette')
export const showKeys = (): void => overlay.set('keys')
export const closeOverlay = (): void => overlay.set('none')
