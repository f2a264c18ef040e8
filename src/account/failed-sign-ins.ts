import type { Clock } from '../lib/clock.ts'

/** Tells which failed sign-ins are put on record: of each source one in a minute, with how many there were since the last. */
export interface FailedSignIns {
  /** How many to record now; undefined: this one is only counted. */
  note(source: string): number | undefined
}

const MINUTE_MS = 60_000
/** More sources in a minute are taken for one. */
const MOST_SOURCES = 1000
const OTHERS = 'others'

interface Seen {
  readonly at: number
  unrecorded: number
}

export function createFailedSignIns(clock: Clock): FailedSignIns {
  const seen = new Map<string, Seen>()

  /** Those recorded longest ago come first. */
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

  return {
    note(source) {
      const now = clock.now()
      const place = placeOf(source, now)
      const last = seen.get(place)
      if (last && now - last.at < MINUTE_MS && now >= last.at) {
        last.unrecorded += 1
        return undefined
      }
      // Taken out first, so that the order in the map is that of the times.
      seen.delete(place)
      seen.set(place, { at: now, unrecorded: 0 })
      return 1 + (last?.unrecorded ?? 0)
    },
  }
}
