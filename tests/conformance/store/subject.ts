import type { Store } from '../../../src/store/index.ts'

/** A store of its own for one test, in whatever database the adapter uses. */
export interface Opened {
  readonly store: Store
  /** Closes the store and opens the same database again. */
  reopen(): Promise<Store>
  /** Somebody else who uses the same open database; its time is never over. */
  second(): Store
  /** The time of the first is over: what it owns is anybody's. */
  endTime(): void
  /** Closes whatever is open and takes the database away. */
  close(): Promise<void>
}

/** What a test of the suite sees: `store` is always the one that is open now. */
export interface Subject extends Pick<Opened, 'reopen' | 'second' | 'endTime'> {
  readonly store: Store
}
