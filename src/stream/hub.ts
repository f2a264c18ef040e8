import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Store } from '../store/index.ts'
import { frameQueue, type FrameQueue } from './frame-queue.ts'

/**
 * Where live things meet those who follow: stored events right after their commit, and pulses in between. It keeps
 * the text of turns that are running, so that whoever comes late gets all of it.
 */
export interface Hub {
  pulse(pulse: Pulse): void
  /** Everything from now on, beginning with the text so far of a turn that is running. */
  attach(sessionId: string): { queue: FrameQueue; detach: () => void }
  close(): void
}

type Said = { -readonly [K in keyof Delta]: Delta[K] }
type Delta = Extract<Pulse, { type: 'delta' }>

interface Room {
  readonly followers: Set<FrameQueue>
  /** what the running turn has said, by kind and call */
  readonly said: Map<string, Said>
}

export function createHub(store: Store): Hub {
  const rooms = new Map<string, Room>()

  function room(sessionId: string): Room {
    let found = rooms.get(sessionId)
    if (!found) rooms.set(sessionId, (found = { followers: new Set(), said: new Map() }))
    return found
  }

  function stored(sessionId: string, events: readonly StoredEvent[]): void {
    const found = rooms.get(sessionId)
    if (!found) return
    for (const event of events) {
      if (SUPERSEDES.has(event.type)) found.said.clear()
      for (const queue of found.followers) queue.push({ kind: 'event', event })
    }
    tidy(sessionId, found)
  }

  function tidy(sessionId: string, found: Room): void {
    // Whoever leaves twice must not close the room of those who came in between.
    if (rooms.get(sessionId) === found && found.followers.size === 0 && found.said.size === 0) rooms.delete(sessionId)
  }

  const unsubscribe = store.subscribe(stored)

  return {
    pulse(pulse) {
      const { followers, said } = room(pulse.sessionId)
      if (pulse.type === 'reset') said.clear()
      else {
        const key = pulse.callId ?? pulse.kind
        const before = said.get(key)
        if (before) before.text += pulse.text
        else said.set(key, { ...pulse })
      }
      for (const queue of followers) queue.push({ kind: 'pulse', pulse })
    },
    attach(sessionId) {
      const found = room(sessionId)
      const queue = frameQueue()
      for (const delta of found.said.values()) queue.push({ kind: 'pulse', pulse: { ...delta } })
      found.followers.add(queue)
      return {
        queue,
        detach: () => {
          found.followers.delete(queue)
          queue.end()
          tidy(sessionId, found)
        },
      }
    },
    close() {
      unsubscribe()
      for (const { followers } of rooms.values()) for (const queue of followers) queue.end()
      rooms.clear()
    },
  }
}

/** After these the text of the turn is in the log, or is to be forgotten. */
const SUPERSEDES: ReadonlySet<StoredEvent['type']> = new Set<StoredEvent['type']>([
  'message.assistant',
  'turn.started',
  'turn.ended',
  'round.resumed',
  'round.ended',
])
