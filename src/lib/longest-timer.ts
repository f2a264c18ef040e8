/** About 24.8 days; setTimeout fires at once for anything longer. */
export const LONGEST_TIMER_MS = 2_147_483_647
