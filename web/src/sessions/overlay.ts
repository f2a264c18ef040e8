import { createStore } from '../state/store.ts'

/** The dialog that was opened, if any. */
export const overlay = createStore<'none' | 'palette' | 'keys' | 'key' | 'preferences'>('none')

export const showPalette = (): void => overlay.set('palette')
export const showKeys = (): void => overlay.set('keys')
export const showPreferences = (): void => overlay.set('preferences')
/** Opens the dialog for the key, also after the user closed it once. */
export const showKeyEntry = (): void => overlay.set('key')
export const closeOverlay = (): void => overlay.set('none')
