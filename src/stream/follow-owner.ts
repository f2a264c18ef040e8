import type { LogStore } from '../store/index.ts'
import type { Frame } from './frame.ts'
import { relayFrom, type RelayOptions } from './relay.ts'

export interface OwnerListener {
  /** The log has events up to this number that were not passed on. */
  stored(head: number): void
  told(frame: Frame): void
  /** The connection broke; once it is back, the owner repeats the text of the running turn. */
  broken(): void
  /** The owner changed, so the text of a running turn will not be continued. */
  lost(): void
}

export type OwnerFollowing = ReturnType<typeof followOwner>

/**
 * Follows a session that another node owns, over a connection to that node. Without a connection or an owner, the
 * database is asked every second how long the log is.
 */
export function followOwner(store: LogStore, sessionId: string, relay: RelayOptions | undefined, to: OwnerListener) {
  let owner: string | undefined
  let head = 0
  let following: AbortController | undefined
  let isTold = false

  function change(next: string | undefined): void {
    owner = next
    following?.abort()
    following = undefined
    to.lost()
    broken()
    if (owner !== undefined && relay) {
      following = new AbortController()
      void relayFrom(relay, owner, sessionId, following.signal, { ...to, attached, broken })
    }
  }

  /** Events stored just before are only in the log. */
  function attached(): void {
    isTold = true
    to.stored(Infinity)
  }

  /** Readers keep their text, because the owner may be alive and continue it. */
  function broken(): void {
    isTold = false
    to.broken()
    to.stored(head)
  }

  const unwatch = store.watch(sessionId, (now) => {
    head = now.head
    if (now.owner !== owner) change(now.owner)
    // A connected owner has sent this already, or is about to.
    else if (!isTold) to.stored(head)
  })

  return {
    /** Whether another node owns the session, as far as is known. */
    get isElsewhere(): boolean {
      return owner !== undefined
    },
    /** This process wrote to the session, so it is the owner. */
    isHere(): void {
      if (owner !== undefined) change(undefined)
    },
    stop(): void {
      unwatch()
      following?.abort()
    },
  }
}
