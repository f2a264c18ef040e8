import { keepPreferences, readPreferences, showTheme, type Preferences } from './kept-preferences.ts'
import { createStore, useStore } from './store.ts'

const preferences = createStore(readPreferences())

export const usePreferences = (): Preferences => useStore(preferences)

export function prefer(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change }
  preferences.set(next)
  keepPreferences(next)
  showTheme(next)
}
