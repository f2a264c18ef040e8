import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { LogStore } from '../store/index.ts'
import { followOwner, type OwnerFollowing } from './follow-owner.ts'
import { charsOf, type Frame } from './frame.ts'
import { frameQueue, type FrameQueue, type QueueOptions } from './frame-queue.ts'
import type { RelayOptions } from './relay.ts'
import { saidText } from './said-text.ts'
import { sharedPages } from './shared-pages.ts'

export type Hub = ReturnType<typeof createHub>

export interface AttachOptions extends Partial<Omit<QueueOptions, 'first'>> {
  /** also the output of running tools */
  readonly outputs?: boolean | undefined
}

interface Attached {
  readonly queue: FrameQueue
  detach(): void
}

/** Called when another owner stored events; without them they must be read from the log. */
type Listener = (events?: readonly StoredEvent[]) => void

const QUEUE_CHARS = 1_000_000
const SHARED_CHARS = 4_000_000

interface Room {
  readonly sessionId: string
  /** with whether each wants tool output */
  readonly followers: Map<FrameQueue, boolean>
  /** other nodes, which get only what happens on this one */
  readonly nodes: Set<FrameQueue>
  readonly listeners: Set<Listener>
  readonly said: ReturnType<typeof saidText>
  /** while there are listeners */
  owner?: OwnerFollowing
}

export interface HubOptions {
  /** characters kept for a slow follower */
  readonly queueChars?: number
  /** characters of stored events kept for several readers of the same log */
  readonly sharedChars?: number
  /** how to follow sessions of other nodes live; without it only their stored events are seen */
  readonly relay?: RelayOptions
}

/**
 * Passes stored events, right after their commit, and pulses on to followers. It keeps the text of running turns, so
 * that late followers get all of it.
 */
export function createHub(
  store: LogStore,
  { queueChars = QUEUE_CHARS, sharedChars = SHARED_CHARS, relay }: HubOptions = {},
) {
  const pages = sharedPages(sharedChars)
  const rooms = new Map<string, Room>()

  function room(sessionId: string): Room {
    const known = rooms.get(sessionId)
    if (known) return known
    const made = { sessionId, followers: new Map(), nodes: new Set<FrameQueue>(), listeners: new Set<Listener>() }
    const found = { ...made, said: saidText() }
    rooms.set(sessionId, found)
    return found
  }

  function stored(sessionId: string, events: readonly StoredEvent[]): void {
    if (events.some(({ type }) => type === 'session.deleted')) pages.forget(sessionId)
    const found = rooms.get(sessionId)
    if (!found) return
    found.owner?.isHere()
    for (const event of events) {
      found.said.see(event)
      tell(found, { kind: 'event', event, ...(found.followers.size > 1 && { made: new Map() }) }, true)
    }
    tidy(found)
  }

  function tell({ followers: queues, nodes }: Room, frame: Frame, isLocal: boolean): void {
    if (queues.size === 0 && nodes.size === 0) return
    const chars = charsOf(frame)
    const isOutput = frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === 'output'
    for (const [queue, outputs] of queues) if (outputs || !isOutput) queue.push(frame, chars)
    if (isLocal) for (const queue of nodes) queue.push(frame, chars)
  }

  function tidy(found: Room): void {
    if (found.listeners.size === 0 && found.owner) {
      // The text of another owner's turn is not continued from here on.
      if (found.owner.isElsewhere) found.said.forget()
      found.owner.stop()
      delete found.owner
    }
    if ([found.followers, found.listeners, found.nodes].some(({ size }) => size > 0) || !found.said.isEmpty) return
    // Leaving twice must not close a newer room.
    if (rooms.get(found.sessionId) === found) rooms.delete(found.sessionId)
  }

  function follows(found: Room): void {
    found.owner ??= followOwner(store, found.sessionId, relay, {
      /** Followers read it from the log. */
      stored(head) {
        for (const queue of found.followers.keys()) queue.behind(head)
        for (const listener of found.listeners) listener()
      },
      told(frame) {
        if (frame.kind === 'event') found.said.see(frame.event)
        if (frame.kind === 'pulse') found.said.add(frame.pulse)
        tell(found, frame, false)
        if (frame.kind === 'event') for (const listener of found.listeners) listener([frame.event])
      },
      broken: found.said.drop,
      lost() {
        const reset = found.said.takeBack('owner_lost')
        if (reset) tell(found, { kind: 'pulse', pulse: reset }, false)
      },
    })
  }

  function attachedTo(found: Room, queue: FrameQueue): Attached {
    const detach = (): void => {
      found.followers.delete(queue)
      found.nodes.delete(queue)
      queue.end()
      tidy(found)
    }
    return { queue, detach }
  }

  const unsubscribe = store.subscribe(stored)

  return {
    pulse(pulse: Pulse): void {
      const found = room(pulse.sessionId)
      found.said.add(pulse)
      tell(found, { kind: 'pulse', pulse }, true)
    },
    /** Everything from now on, after the text so far of a running turn. */
    attach(sessionId: string, { maxChars = queueChars, onDropped, outputs = false }: AttachOptions = {}): Attached {
      const found = room(sessionId)
      const queue = frameQueue({ maxChars, onDropped, first: found.said.frames(outputs) })
      found.followers.set(queue, outputs)
      return attachedTo(found, queue)
    },
    /** The same for another node, which follows this one as the owner of the session. */
    attachNode(sessionId: string, onDropped: () => void = () => {}): Attached {
      const found = room(sessionId)
      const first = found.owner?.isElsewhere ? [] : found.said.frames(true)
      const queue = frameQueue({ maxChars: queueChars, first, onDropped })
      found.nodes.add(queue)
      return attachedTo(found, queue)
    },
    /** Also passes on what another owner stores and sends, to `listener` and to followers; returns a function to stop. */
    listen(sessionId: string, listener: Listener): () => void {
      const found = room(sessionId)
      found.listeners.add(listener)
      follows(found)
      return () => {
        found.listeners.delete(listener)
        tidy(found)
      }
    },
    pages,
    stats: (): { followers: number } => ({
      followers: rooms.values().reduce((sum, { followers }) => sum + followers.size, 0),
    }),
    close(): void {
      unsubscribe()
      pages.clear()
      for (const { followers: queues, nodes, owner } of rooms.values()) {
        owner?.stop()
        for (const queue of [...queues.keys(), ...nodes]) queue.end()
      }
      rooms.clear()
    },
  }
}
