import type { ActorRef } from '../contract/event.ts'
import { Problem } from '../contract/problem.ts'
import { hasRoom } from '../lib/fair-share.ts'
import { actorKey } from '../lib/key-of.ts'
import type { Mailbox } from './mailbox.ts'

/** How many messages may wait, all sessions together. */
export interface QueueRoom {
  /** messages that wait now */
  readonly waiting: number
  readonly isFull: boolean
  /** Throws a Problem if this actor may not have one more waiting. */
  check(actor: ActorRef): void
  /** A message on its way to disk takes its place already; call what is returned once it is there. */
  arrive(actor: ActorRef): () => void
}

export function createQueueRoom(length: number, mailboxes: () => Iterable<Mailbox>): QueueRoom {
  const arriving = new Map<string, number>()

  function waiting(): number {
    let sum = 0
    for (const mailbox of mailboxes()) sum += mailbox.messages
    return sum
  }

  const taken = (): number => arriving.values().reduce((sum, n) => sum + n, waiting())

  return {
    get waiting() {
      return waiting()
    },
    get isFull() {
      return taken() >= length
    },
    check(actor) {
      const before = taken()
      if (before < length) return
      // It is full: who has less than their share of it still gets in.
      const who = actorKey(actor)
      const actors = new Map([[who, 0], ...arriving])
      for (const mailbox of mailboxes()) mailbox.countActors(actors)
      if (hasRoom(length, before, actors.get(who) ?? 0, actors.size)) return
      const why = `${length} messages are already waiting; try again shortly.`
      throw new Problem('RATE_LIMITED', why, { retryAfterMs: 2000 })
    },
    arrive(actor) {
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
