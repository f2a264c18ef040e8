import type { Clock } from '../lib/clock.ts'

/** How many failed sign-ins of a source to record now; undefined if this one is only counted. */
export type CountFailedSignIn = (source: string) => number | undefined

const MINUTE_MS = 60_000
/** Beyond this, all further sources count as one. */
const MOST_SOURCES = 1000
const OTHERS = 'others'

/** One record per source and minute, with the number since the last. */
export function failedSignInCounter(clock: Clock): CountFailedSignIn {
  const seen = new Map<string, { readonly at: number; unrecorded: number }>()

  /** The map is ordered by time. */
  function forgetOld(now: number): void {
    for (const [source, { at }] of seen) {
      if (now - at < MINUTE_MS) return
      seen.delete(source)
    }
  }

  function placeOf(source: string, now: number): string {
    if (seen.has(source) || seen.size < MOST_SOURCES) return source
    forgetOld(now)
    return seen.size < MOST_SOURCES ? source : OTHERS
  }

  return (source) => {
    const now = clock.now()
    const place = placeOf(source, now)
    const last = seen.get(place)
    if (last && now - last.at < MINUTE_MS && now >= last.at) {
      last.unrecorded += 1
      return undefined
    }
    // Deleted first, so that the map stays ordered by time.
    seen.delete(place)
    seen.set(place, { at: now, unrecorded: 0 })
    return 1 + (last?.unrecorded ?? 0)
  }
}
