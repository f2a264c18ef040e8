/** A timer set for longer fires at once: about 24.8 days, in milliseconds. */
export const LONGEST_TIMER_MS = 2_147_483_647
