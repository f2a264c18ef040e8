export const RESPONSE_LENGTHS = ['concise', 'balanced', 'detailed'] as const
export const FORMALITIES = ['casual', 'neutral', 'formal'] as const

/** What a user wants of every answer; a missing one is not set. */
export interface Preferences {
  readonly responseLength?: (typeof RESPONSE_LENGTHS)[number]
  readonly formality?: (typeof FORMALITIES)[number]
  /** cleaned; at most MOST_INSTRUCTION_CHARS characters */
  readonly customInstructions?: string
  /** off until set */
  readonly allowMemory?: boolean
  /** on until set */
  readonly allowWebSearch?: boolean
}

export const MOST_INSTRUCTION_CHARS = 2000

/** Remembering needs a yes; looking things up on the web only a missing no. */
export function hasConsent({ consent }: { readonly consent?: Consent }, preferences: Preferences): boolean {
  if (consent === 'memory') return preferences.allowMemory === true
  return consent !== 'webSearch' || preferences.allowWebSearch !== false
}

/** What a user can allow tools to do, or not. */
export type Consent = 'memory' | 'webSearch'

/** Preferences as they are stored. */
export interface StoredPreferences {
  readonly tenant: string
  readonly userId: string
  readonly preferences: Preferences
  /** counts the changes, from 1 */
  readonly version: number
  /** random, made anew with each change; goes into the hash of the part that has these words */
  readonly salt: string
  readonly updatedAt: number
}
