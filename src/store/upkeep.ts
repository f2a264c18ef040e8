/** What is done with a database as a whole. */
export interface UpkeepStore {
  /** Opening a database brings it up to date. */
  readonly schema: Schema
  /** Writes a mark: it resolves if the store can be written to now. */
  ping(at: number): Promise<void>
  /** Erases the content of a deleted session, except what living forks share. */
  purge(sessionId: string): Promise<{ events: number; blobs: number }>
  /** A complete copy while the store is in use, without snapshots. */
  backup(file: string): Promise<void>
  /**
   * Erases what deleted sessions left and gives back its room, in small steps with other work in between. A file from
   * before is written anew if it may be, which nothing else can go on beside.
   */
  compact(options?: CompactWish): Promise<Compacted>
  /** Was it made by an earlier Segno, and is not yet written anew as this one would make it? */
  needsRewrite(): boolean
  /** Is the file sound, is every blob there, do projections equal what the log says, does every audit seal hold? */
  check(options?: UpkeepOptions): Promise<CheckReport>
  close(): Promise<void>
}

/** Versions of a database: as it was found (0: there was none), and as it is now. */
export interface Schema {
  readonly found: number
  readonly now: number
}

/** The size of the store, in bytes. */
export interface Compacted {
  readonly before: number
  readonly after: number
  readonly freed: number
  /** nothing more can be given back before the file is written anew */
  readonly needsRewrite: boolean
}

/** Of work that takes long. It rejects with the reason of `signal`. */
export interface UpkeepOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: UpkeepProgress) => void
}

export interface UpkeepProgress {
  readonly doing: 'waiting' | 'copying' | 'checking' | 'compacting'
  /** pages of the file; sessions where it is checked */
  readonly done: number
  readonly total: number
}

export interface CompactWish extends UpkeepOptions {
  /** how many bytes a file may have to be written anew if it must be; without it none is */
  readonly rewriteUpTo?: number
}

export interface CheckReport {
  readonly ok: boolean
  readonly sessions: number
  readonly events: number
  readonly findings: readonly string[]
}
