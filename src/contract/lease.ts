/**
 * The right of this process to act for its sessions, which it loses before others may take them; on SQLite it is never
 * lost.
 */
export interface Lease {
  /** Whether a model may be called or an effect started now; to be asked right before each. */
  mayAct(): boolean
  /**
   * Calls `listener` when the lease is lost and all work must be dropped unstored; returns a function that stops it.
   */
  onLost(listener: () => void): () => void
  /** Calls `listener` when the lease is regained, always as another node, and sessions can be claimed again. */
  onRegained(listener: () => void): () => void
}

/** For a process that has its database to itself. */
export const ALWAYS: Lease = { mayAct: () => true, onLost: () => () => {}, onRegained: () => () => {} }
