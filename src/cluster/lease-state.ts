import type { LeaseTimes } from './lease-times.ts'

/** What a node may do after its last renewals, by a monotonic clock of this process. */
export function leaseState({ actMs, sureMs }: Pick<LeaseTimes, 'actMs' | 'sureMs'>) {
  let actUntil = -Infinity
  let goodSince: number | undefined
  return {
    /** A renewal that was sent at this time succeeded. */
    renewed(sentAt: number): void {
      // While this node could not act, the database may have been away for the others too.
      if (sentAt >= actUntil) goodSince = undefined
      goodSince ??= sentAt
      actUntil = Math.max(actUntil, sentAt + actMs)
    },
    failed(): void {
      goodSince = undefined
    },
    ended(): void {
      goodSince = undefined
      actUntil = -Infinity
    },
    actUntil: (): number => actUntil,
    mayAct: (now: number): boolean => now < actUntil,
    /** Only after a while of good renewals, so that nobody is evicted because the database was away. */
    mayEvict: (now: number): boolean => now < actUntil && goodSince !== undefined && now - goodSince >= sureMs,
  }
}
