/** Operations on the database as a whole. */
export interface UpkeepStore {
  /** Opening a database brings it up to date. */
  readonly schema: Schema
  /** Resolves if the store can be written to now. */
  ping(at: number): Promise<void>
  /** Erases the content of a deleted session, except what living forks share. */
  purge(sessionId: string): Promise<{ events: number; blobs: number }>
  /** Makes a complete copy without snapshots, while the store is in use. */
  backup(file: string): Promise<void>
  /**
   * Erases what deleted sessions left and frees its space in small steps; a file with an old layout is rewritten if
   * `rewriteUpTo` allows, which blocks all else.
   */
  compact(options?: CompactOptions): Promise<Compacted>
  /** Does the file have the layout of an earlier version? */
  needsRewrite(): boolean
  /** Checks the file, blobs, parts, projections against the log, and audit seals. */
  check(options?: UpkeepOptions): Promise<CheckReport>
  close(): Promise<void>
}

/** The schema version that was found (0: a new database) and the current one. */
export interface Schema {
  readonly found: number
  readonly now: number
}

/** Sizes in bytes. */
export interface Compacted {
  readonly before: number
  readonly after: number
  readonly freed: number
  /** no more space can be freed before a rewrite */
  readonly needsRewrite: boolean
}

/** Aborting `signal` rejects with its reason. */
export interface UpkeepOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: UpkeepProgress) => void
}

export interface UpkeepProgress {
  readonly doing: 'waiting' | 'copying' | 'checking' | 'compacting'
  /** pages of the file, or sessions while checking */
  readonly done: number
  readonly total: number
}

export interface CompactOptions extends UpkeepOptions {
  /** rewrite a file of at most this many bytes if its layout is old; by default never */
  readonly rewriteUpTo?: number
}

export interface CheckReport {
  readonly ok: boolean
  readonly sessions: number
  readonly events: number
  readonly findings: readonly string[]
}
