import type { Input } from '../contract/input.ts'
import type { Json } from '../contract/message.ts'
import type { Blob } from './log.ts'

/** Inputs that no log contains yet, and the claims behind idempotency keys. */
export interface InboxStore {
  /** Stores an input for the session's owner; not twice under the same claim, nor while one with the same key waits. */
  putInput(input: Input, more?: InputOptions): Promise<'stored' | 'full' | 'busy' | Waits | Repeated>
  pendingInputs(sessionId: string): Promise<Input[]>
  /** Sessions owned here for which another process stored inputs since the last call. */
  unread(): Promise<string[]>
  /** The message that waits to become this round. */
  queuedMessage(requestId: string): Promise<Input | undefined>
  findClaim(key: string): Promise<Claim | undefined>
  /** Deletes at most `most` claims older than `before`, except those of waiting inputs, and returns how many. */
  forgetClaims(before: number, most: number): Promise<number>
}

export interface InputOptions {
  readonly claim?: Claim | undefined
  /** the files it names, kept while it waits */
  readonly blobs?: readonly Blob[] | undefined
  /** `full` once so many inputs wait for the session */
  readonly most?: number | undefined
  /** `busy` if the session has an open round or a waiting input */
  readonly ifIdle?: boolean
}

/** Created together with what it stands for. */
export interface Claim {
  readonly key: string
  /** of the request; the same key with another hash is the caller's mistake */
  readonly hash: string
  /** what the first caller got: ids, never content */
  readonly result: Json
  /** when it was taken, if what it is taken with may be older */
  readonly at?: number
}

/** The claim was taken before, and nothing was changed. */
export interface Repeated {
  readonly kind: 'repeated'
  readonly claim: Claim
}

/** The same input waits already, and nothing was changed. */
export interface Waits {
  readonly kind: 'waits'
  readonly id: string
}
