import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'
import { STEP } from '../lib/loop-step.ts'
import type { LogStore } from '../store/index.ts'
import { charsOf, type Frame } from './frame.ts'
import { frameQueue, type FrameQueue, type QueueOptions } from './frame-queue.ts'
import { sharedPages } from './shared-pages.ts'
import { supersedes } from './supersedes.ts'

export type Hub = ReturnType<typeof createHub>

export interface AttachOptions extends Partial<Omit<QueueOptions, 'first'>> {
  /** also what running tools put out */
  readonly outputs?: boolean | undefined
}

const QUEUE_CHARS = 1_000_000
const SHARED_CHARS = 4_000_000
/** of the output of a running call that is kept for those who come late */
const OUTPUT_CHARS = 100_000

type Said = { -readonly [K in keyof Delta]: Delta[K] }
type Delta = Extract<Pulse, { type: 'delta' }>

interface Room {
  /** and whether each wants outputs */
  readonly followers: Map<FrameQueue, boolean>
  /** what the running turn has said, by kind and call */
  readonly said: Map<string, Said>
}

export interface HubOptions {
  /** characters kept for a follower that is slow */
  readonly queueChars?: number
  /** characters of stored events kept for those who read the same log */
  readonly sharedChars?: number
}

/**
 * Where live things meet those who follow: stored events right after their commit, and pulses in between. It keeps
 * the text of turns that are running, so that whoever comes late gets all of it.
 */
export function createHub(store: LogStore, { queueChars = QUEUE_CHARS, sharedChars = SHARED_CHARS }: HubOptions = {}) {
  const pages = sharedPages(sharedChars)
  const rooms = new Map<string, Room>()
  let followers = 0

  function room(sessionId: string): Room {
    let found = rooms.get(sessionId)
    if (!found) rooms.set(sessionId, (found = { followers: new Map(), said: new Map() }))
    return found
  }

  function stored(sessionId: string, events: readonly StoredEvent[]): void {
    if (events.some(({ type }) => type === 'session.deleted')) pages.forget(sessionId)
    const found = rooms.get(sessionId)
    if (!found) return
    for (const event of events) {
      if (supersedes(event)) found.said.clear()
      else if (event.type === 'tool.result') found.said.delete(outputKey(event.data.callId))
      tell(found, { kind: 'event', event, ...(found.followers.size > 1 && { made: new Map() }) })
    }
    tidy(sessionId, found)
  }

  function tell({ followers: queues }: Room, frame: Frame): void {
    if (queues.size === 0) return
    const chars = charsOf(frame)
    const isOutput = frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === 'output'
    for (const [queue, outputs] of queues) if (outputs || !isOutput) queue.push(frame, chars)
  }

  function tidy(sessionId: string, found: Room): void {
    // Whoever leaves twice must not close the room of those who came in between.
    if (rooms.get(sessionId) === found && found.followers.size === 0 && found.said.size === 0) rooms.delete(sessionId)
  }

  /** What another owner stored is in the log, where those who follow read on; what was said here before is old. */
  function storedElsewhere(sessionId: string): void {
    const found = rooms.get(sessionId)
    if (!found) return
    found.said.clear()
    for (const queue of found.followers.keys()) queue.lapse()
    tidy(sessionId, found)
  }

  const unsubscribe = [store.subscribe(stored), store.subscribeElsewhere(storedElsewhere)]

  return {
    pulse(pulse: Pulse): void {
      const found = room(pulse.sessionId)
      const { said } = found
      if (pulse.type === 'reset') said.clear()
      else {
        const key = pulse.kind === 'output' ? outputKey(pulse.callId) : (pulse.callId ?? pulse.kind)
        const before = said.get(key)
        if (before) before.text += pulse.text
        else said.set(key, { ...pulse })
        if (pulse.kind === 'output') keepEnd(said.get(key) as Said)
      }
      tell(found, { kind: 'pulse', pulse })
    },
    /** Everything from now on, beginning with the text so far of a turn that is running. */
    attach(sessionId: string, { maxChars = queueChars, onDropped, outputs = false }: AttachOptions = {}) {
      const found = room(sessionId)
      const said = [...found.said.values()].filter((delta) => outputs || delta.kind !== 'output')
      const queue = frameQueue({ maxChars, onDropped, first: said.flatMap(inPieces) })
      found.followers.set(queue, outputs)
      followers += 1
      return {
        queue,
        detach: (): void => {
          if (found.followers.delete(queue)) followers -= 1
          queue.end()
          tidy(sessionId, found)
        },
      }
    },
    /** what those who read the same log share */
    pages,
    stats: (): { followers: number } => ({ followers }),
    close(): void {
      for (const stop of unsubscribe) stop()
      pages.clear()
      for (const { followers: queues } of rooms.values()) for (const queue of queues.keys()) queue.end()
      rooms.clear()
    },
  }
}

const outputKey = (callId: string | undefined): string => `output ${callId}`

function inPieces(said: Said): Frame[] {
  const pieces: Frame[] = []
  for (let at = 0; at === 0 || at < said.text.length; at += STEP.chars) {
    const text = said.text.slice(at, at + STEP.chars)
    pieces.push({ kind: 'pulse', pulse: { ...said, offset: said.offset + at, text } })
  }
  return pieces
}

/** Whoever comes late to a long output sees its end. */
function keepEnd(output: Said): void {
  const over = output.text.length - OUTPUT_CHARS
  if (over < OUTPUT_CHARS) return
  output.text = output.text.slice(over)
  output.offset += over
}
