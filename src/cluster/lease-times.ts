/**
 * In milliseconds; a node stops acting two seconds before others may take its sessions, so that effects and uneven
 * clocks have room.
 */
const TIMES = {
  /** how often a node renews its lease */
  renewMs: 3000,
  /** how soon it retries a failed renewal */
  retryMs: 1000,
  /** how long a renewal holds, by the database's clock */
  leaseMs: 10_000,
  /** how long it may act, by its own clock from before the renewal was sent */
  actMs: 8000,
  /** how long its own renewals must have succeeded before it evicts others */
  sureMs: 10_000,
  /** how often it reads the list of nodes */
  checkMs: 1000,
}

export type LeaseTimes = Readonly<typeof TIMES>

/** `faster` divides all times, for tests. */
export function leaseTimes(faster = 1): LeaseTimes {
  return Object.fromEntries(Object.entries(TIMES).map(([name, ms]) => [name, ms / faster])) as LeaseTimes
}
