import { isNarrow, storePreferences, readPreferences, showTheme, type Preferences } from './stored-preferences.ts'
import { createStore, useStore } from './store.ts'

const preferences = createStore(readPreferences())

export const usePreferences = (): Preferences => useStore(preferences)

export function prefer(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change }
  preferences.set(next)
  storePreferences(next)
  showTheme(next)
}

/** Closes the side panels where they cover the conversation; false if none did. */
export function closeSheets(): boolean {
  const { sidebar, inspector } = preferences.get()
  const isOver = isNarrow() ? sidebar || inspector : inspector && matchMedia('(max-width: 1100px)').matches
  if (isOver) prefer(isNarrow() ? { sidebar: false, inspector: false } : { inspector: false })
  return isOver
}
