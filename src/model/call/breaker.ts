import type { Clock } from '../../lib/clock.ts'

export type Breakers = ReturnType<typeof createBreakers>

interface State {
  failures: number
  openUntil: number
  /** one caller is testing whether the provider works again */
  trying: boolean
}

/** Stops calling a provider for a while after several failures in a row. */
export function createBreakers(limits: { failures: number; openMs: number }, clock: Clock) {
  const states = new Map<string, State>()
  const isOpen = ({ failures }: State): boolean => limits.failures > 0 && failures >= limits.failures
  return {
    /** Why this provider may not be called now; a caller that may must report the result. */
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
    /** `neither` says nothing about the provider, such as a cancelled call or a refused key */
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
    /** Providers that are not called now, and until when. */
    open: (): ReadonlyMap<string, number> =>
      new Map(
        [...states]
          .filter(([, state]) => isOpen(state) && state.openUntil > clock.now())
          .map(([provider, { openUntil }]) => [provider, openUntil]),
      ),
  }
}
