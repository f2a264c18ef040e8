import { createStore, useStore } from './store.ts'

/** What this browser remembers of how its user likes the page. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  /** raw tool output is shown */
  readonly outputs: boolean
  readonly inspector: boolean
  readonly sidebar: boolean
}

const PLACE = 'segno.preferences'
const STANDARD: Preferences = { theme: 'system', outputs: false, inspector: false, sidebar: true }

function read(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Preferences>
    return { ...STANDARD, ...kept }
  } catch {
    return STANDARD
  }
}

const preferences = createStore(read())
show(preferences.get())

export const usePreferences = (): Preferences => useStore(preferences)

export function prefer(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change }
  preferences.set(next)
  localStorage.setItem(PLACE, JSON.stringify(next))
  show(next)
}

function show({ theme }: Preferences): void {
  document.documentElement.dataset['theme'] = theme
}
