import type { ActorRef } from '../contract/actor.ts'
import { Problem } from '../contract/problem.ts'
import { hasRoom } from '../lib/fair-share.ts'
import { actorKey } from '../lib/key-of.ts'
import type { Mailbox } from './mailbox.ts'

/** Limits how many messages may wait in all sessions together. */
export function createQueueRoom(length: number, mailboxes: () => Iterable<Mailbox>) {
  const arriving = new Map<string, number>()

  function waiting(): number {
    let sum = 0
    for (const mailbox of mailboxes()) sum += mailbox.messages
    return sum
  }

  const taken = (): number => arriving.values().reduce((sum, n) => sum + n, waiting())

  return {
    get waiting(): number {
      return waiting()
    },
    get isFull(): boolean {
      return taken() >= length
    },
    /** Throws a Problem if this actor may not have another message waiting. */
    check(actor: ActorRef): void {
      const before = taken()
      if (before < length) return
      // When it is full, an actor with less than their share still gets in.
      const who = actorKey(actor)
      const actors = new Map([[who, 0], ...arriving])
      for (const mailbox of mailboxes()) mailbox.countActors(actors)
      if (hasRoom(length, before, actors.get(who) ?? 0, actors.size)) return
      const why = `${length} messages are already waiting; try again shortly.`
      throw new Problem('RATE_LIMITED', why, { retryAfterMs: 2000 })
    },
    /** Counts a message that is being stored; returns a function to call once it is stored. */
    arrive(actor: ActorRef): () => void {
      const who = actorKey(actor)
      arriving.set(who, (arriving.get(who) ?? 0) + 1)
      return () => {
        const left = (arriving.get(who) ?? 1) - 1
        if (left === 0) arriving.delete(who)
        else arriving.set(who, left)
      }
    },
  }
}
