import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Store } from '../store/index.ts'
import { charsOf, type Frame } from './frame.ts'
import { frameQueue, type FrameQueue, type QueueOptions } from './frame-queue.ts'
import { supersedes } from './supersedes.ts'

/**
 * Where live things meet those who follow: stored events right after their commit, and pulses in between. It keeps
 * the text of turns that are running, so that whoever comes late gets all of it.
 */
export interface Hub {
  pulse(pulse: Pulse): void
  /** Everything from now on, beginning with the text so far of a turn that is running. */
  attach(sessionId: string, options?: Partial<QueueOptions>): { queue: FrameQueue; detach: () => void }
  stats(): { followers: number }
  close(): void
}

const QUEUE_CHARS = 1_000_000

type Said = { -readonly [K in keyof Delta]: Delta[K] }
type Delta = Extract<Pulse, { type: 'delta' }>

interface Room {
  readonly followers: Set<FrameQueue>
  /** what the running turn has said, by kind and call */
  readonly said: Map<string, Said>
}

export function createHub(store: Store, { queueChars = QUEUE_CHARS }: { queueChars?: number } = {}): Hub {
  const rooms = new Map<string, Room>()
  let followers = 0

  function room(sessionId: string): Room {
    let found = rooms.get(sessionId)
    if (!found) rooms.set(sessionId, (found = { followers: new Set(), said: new Map() }))
    return found
  }

  function stored(sessionId: string, events: readonly StoredEvent[]): void {
    const found = rooms.get(sessionId)
    if (!found) return
    for (const event of events) {
      if (supersedes(event)) found.said.clear()
      tell(found, { kind: 'event', event })
    }
    tidy(sessionId, found)
  }

  function tell({ followers: queues }: Room, frame: Frame): void {
    if (queues.size === 0) return
    const chars = charsOf(frame)
    for (const queue of queues) queue.push(frame, chars)
  }

  function tidy(sessionId: string, found: Room): void {
    // Whoever leaves twice must not close the room of those who came in between.
    if (rooms.get(sessionId) === found && found.followers.size === 0 && found.said.size === 0) rooms.delete(sessionId)
  }

  const unsubscribe = store.subscribe(stored)

  return {
    pulse(pulse) {
      const found = room(pulse.sessionId)
      const { said } = found
      if (pulse.type === 'reset') said.clear()
      else {
        const key = pulse.callId ?? pulse.kind
        const before = said.get(key)
        if (before) before.text += pulse.text
        else said.set(key, { ...pulse })
      }
      tell(found, { kind: 'pulse', pulse })
    },
    attach(sessionId, { maxChars = queueChars, onDropped } = {}) {
      const found = room(sessionId)
      const queue = frameQueue({ maxChars, onDropped })
      // The text so far is kept here anyway; nobody is too slow for what was there before them.
      for (const delta of found.said.values()) queue.push({ kind: 'pulse', pulse: { ...delta } }, 0)
      found.followers.add(queue)
      followers += 1
      return {
        queue,
        detach: () => {
          if (found.followers.delete(queue)) followers -= 1
          queue.end()
          tidy(sessionId, found)
        },
      }
    },
    stats: () => ({ followers }),
    close() {
      unsubscribe()
      for (const { followers: queues } of rooms.values()) for (const queue of queues) queue.end()
      rooms.clear()
    },
  }
}
