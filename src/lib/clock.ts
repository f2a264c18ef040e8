/** Where time comes from, so that tests can hold it still. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
