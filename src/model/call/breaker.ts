import type { Clock } from '../../lib/clock.ts'

export type Breakers = ReturnType<typeof createBreakers>

interface State {
  failures: number
  openUntil: number
  /** one caller finds out whether it is well again */
  trying: boolean
}

/** Leaves a provider alone for a while after it failed several times in a row. */
export function createBreakers(limits: { failures: number; openMs: number }, clock: Clock) {
  const states = new Map<string, State>()
  const isOpen = ({ failures }: State): boolean => limits.failures > 0 && failures >= limits.failures
  return {
    /** Why this provider is not asked now; undefined if it may be. Whoever may ask must report how it went. */
    refuses(provider: string): string | undefined {
      const state = states.get(provider)
      if (!state || !isOpen(state)) return undefined
      const leftMs = state.openUntil - clock.now()
      if (leftMs > 0 || state.trying) {
        const seconds = Math.max(1, Math.ceil(leftMs / 1000))
        return `${provider} failed ${state.failures} times in a row and is left alone for ${seconds} s`
      }
      state.trying = true
      return undefined
    },
    /** `neither`: it says nothing about the provider (it was cancelled, the key was refused) */
    report(provider: string, how: 'answered' | 'failed' | 'neither'): void {
      if (how === 'answered') states.delete(provider)
      if (how !== 'failed') {
        const state = states.get(provider)
        if (state) state.trying = false
        return
      }
      const state = states.get(provider) ?? { failures: 0, openUntil: 0, trying: false }
      state.failures += 1
      state.openUntil = clock.now() + limits.openMs
      state.trying = false
      states.set(provider, state)
    },
    /** Those that are left alone now, and until when. */
    open: (): ReadonlyMap<string, number> =>
      new Map(
        [...states]
          .filter(([, state]) => isOpen(state) && state.openUntil > clock.now())
          .map(([provider, { openUntil }]) => [provider, openUntil]),
      ),
  }
}
