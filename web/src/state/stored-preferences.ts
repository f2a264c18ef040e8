import { storeText, readText } from './local-storage.ts'

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

/** On a phone the side panels cover the conversation. */
export const isNarrow = (): boolean => matchMedia('(max-width: 760px)').matches

export function readPreferences(): Preferences {
  const sides = isNarrow() ? { sidebar: false, inspector: false } : {}
  try {
    const kept = JSON.parse(readText(PLACE) || '{}') as Partial<Preferences>
    return { ...STANDARD, ...kept, ...sides }
  } catch {
    return { ...STANDARD, ...sides }
  }
}

export function storePreferences(preferences: Preferences): void {
  storeText(PLACE, JSON.stringify(preferences))
}

export function showTheme({ theme }: Preferences): void {
  document.documentElement.dataset['theme'] = theme
}
