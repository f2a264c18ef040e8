import { isNarrow, keepPreferences, readPreferences, showTheme, type Preferences } from './kept-preferences.ts'
import { createStore, useStore } from './store.ts'

const preferences = createStore(readPreferences())

export const usePreferences = (): Preferences => useStore(preferences)

export function prefer(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change }
  preferences.set(next)
  keepPreferences(next)
  showTheme(next)
}

/** Closes the sides where they lie over the conversation. False: none did. */
export function closeSheets(): boolean {
  const { sidebar, inspector } = preferences.get()
  const isOver = isNarrow() ? sidebar || inspector : inspector && matchMedia('(max-width: 1100px)').matches
  if (isOver) prefer(isNarrow() ? { sidebar: false, inspector: false } : { inspector: false })
  return isOver
}
