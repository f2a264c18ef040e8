import type { Pulse } from '../contract/pulse.ts'
import { charsOf, DROPPED, type Frame } from './frame.ts'

/**
 * Between one writer and one reader. Deltas a reader has not taken yet are joined. A reader that leaves more than it
 * may is dropped: what it had not taken is thrown away, and all it gets then is a last frame that says so.
 */
export interface FrameQueue {
  /** `chars`: what it counts for, where the caller knows */
  push(frame: Frame, chars?: number): void
  /** All that is there now, oldest first; empty if the queue has ended. Waits until there is something. */
  take(): Promise<Frame[]>
  end(): void
}

export interface QueueOptions {
  /** characters it may hold; an empty queue takes a frame of any size */
  readonly maxChars: number
  /** called once, at the moment the reader is dropped, whether or not it is reading */
  readonly onDropped?: (() => void) | undefined
}

type Delta = Extract<Pulse, { type: 'delta' }>
type Growing = { -readonly [K in keyof Delta]: Delta[K] }

export function frameQueue({ maxChars, onDropped }: QueueOptions): FrameQueue {
  let frames: Frame[] = []
  let held = 0
  let ended = false
  let wake: (() => void) | undefined
  /** the delta at the end, once it is the queue's own copy */
  let growing: Growing | undefined

  /** Adds a delta to the one before it, if it goes on where that one ends. */
  function join(frame: Frame): boolean {
    const last = frames.at(-1)
    if (last?.kind !== 'pulse' || frame.kind !== 'pulse') return false
    const a = last.pulse
    const b = frame.pulse
    if (a.type !== 'delta' || b.type !== 'delta' || !isSameText(a, b)) return false
    if (!growing) frames[frames.length - 1] = { kind: 'pulse', pulse: (growing = { ...a }) }
    growing.text += b.text
    held += b.text.length
    return true
  }

  function drop(): void {
    frames = [DROPPED]
    ended = true
    growing = undefined
    wake?.()
    onDropped?.()
  }

  return {
    push(frame, chars = charsOf(frame)) {
      if (ended) return
      if (held > 0 && held + chars > maxChars) return drop()
      if (!join(frame)) {
        growing = undefined
        frames.push(frame)
        held += chars
      }
      wake?.()
    },
    async take() {
      if (frames.length === 0 && !ended) {
        await new Promise<void>((resolve) => (wake = resolve))
        wake = undefined
      }
      const taken = frames
      frames = []
      held = 0
      growing = undefined
      return taken
    },
    end() {
      ended = true
      wake?.()
    },
  }
}

const isSameText = (a: Delta, b: Delta): boolean =>
  a.requestId === b.requestId && a.turn === b.turn && a.kind === b.kind && a.callId === b.callId
