import type { Input } from '../contract/input.ts'
import type { Json } from '../contract/message.ts'
import type { Blob } from './log.ts'

/** What came from outside and is in no log yet, and the keys that make something happen once. */
export interface InboxStore {
  /**
   * Stores what came from outside for the owner to fold in; under a claim it happens once. One that waits under the same
   * key in the same session is not stored again, and past `most` inputs that wait there nothing is. `blobs` are the
   * files it names: they are kept while it waits, and from then on by the event that names them.
   */
  putInput(
    input: Input,
    claim?: Claim,
    blobs?: readonly Blob[],
    most?: number,
  ): Promise<'stored' | 'full' | Waits | Repeated>
  pendingInputs(sessionId: string): Promise<Input[]>
  /** Sessions owned here that somebody else stored inputs for since this was last asked. */
  unread(): Promise<string[]>
  /** A message that waits to become this round. */
  queuedMessage(requestId: string): Promise<Input | undefined>
  findClaim(key: string): Promise<Claim | undefined>
  /** Forgets at most `most` claims made before `before`, except those of inputs that wait. Says how many. */
  forgetClaims(before: number, most: number): Promise<number>
}

/** Made when what it stands for was made: it is as old as that. */
export interface Claim {
  readonly key: string
  /** of the request; the same key with another hash is a caller's mistake */
  readonly hash: string
  /** what the first caller was answered: ids, never content */
  readonly result: Json
}

/** The claim was taken before; nothing was changed. */
export interface Repeated {
  readonly kind: 'repeated'
  readonly claim: Claim
}

/** The same input waits already; nothing was changed. */
export interface Waits {
  readonly kind: 'waits'
  /** of the one that waits */
  readonly id: string
}
