import type { Store } from '../../../src/store/index.ts'

/** A store of its own for one test, in whatever database the adapter uses. */
export interface Opened {
  readonly store: Store
  /** Closes the store and opens the same database again. */
  reopen(): Promise<Store>
  /** Somebody else who uses the same open database; its time is never over. */
  second(): Promise<Store>
  /** The time of the first is over: what it owns is anybody's. */
  endTime(): Promise<void>
  /** When the time of the first is over, if it does not end before. */
  readonly until: number
  /** Which part of the random runs there is time for; all if it does not say. */
  readonly share?: number
  /** Closes whatever is open and takes the database away. */
  close(): Promise<void>
}

/** What a test of the suite sees: `store` is always the one that is open now. */
export interface Subject extends Pick<Opened, 'reopen' | 'second' | 'endTime' | 'until'> {
  readonly store: Store
  /** How many of so many random runs are made. */
  runs(most: number): number
}
