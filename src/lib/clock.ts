/** The source of time, which tests replace. */
export interface Clock {
  /** milliseconds since 1970; it jumps when the wall clock is set or the machine sleeps */
  now(): number
  /** monotonic milliseconds; without it `now` is used */
  ticks?(): number
}

export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() }

/** Monotonic time, to measure durations with. */
export function ticksOf(clock: Clock): number {
  return clock.ticks?.() ?? clock.now()
}
