/** Where time comes from, so that tests can hold it still. */
export interface Clock {
  /** milliseconds since 1970; it jumps when the wall clock is set, and when the machine sleeps */
  now(): number
  /** milliseconds that pass evenly, to measure with; a clock without them is its own measure */
  ticks?(): number
}

export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() }

/** For the time between two moments of this process. */
export function ticksOf(clock: Clock): number {
  return clock.ticks?.() ?? clock.now()
}
