import type { Delta } from '../contract/pulse.ts'
import { STEP } from '../lib/loop-step.ts'
import { charsOf, DROPPED, type Frame } from './frame.ts'
import { supersedes } from './supersedes.ts'

export type FrameQueue = ReturnType<typeof frameQueue>

export interface QueueOptions {
  /** characters it may hold; an empty queue takes a frame of any size */
  readonly maxChars: number
  /** the first frames, which do not count */
  readonly first?: readonly Frame[]
  /** called once, as soon as the reader is dropped, even while it is not reading */
  readonly onDropped?: (() => void) | undefined
}

type Growing = { -readonly [K in keyof Delta]: Delta[K] }

/**
 * A queue between one writer and one reader. Waiting deltas are joined. When it gets too long, its reader is dropped: the
 * waiting frames are replaced by one that says so.
 */
export function frameQueue({ maxChars, first = [], onDropped }: QueueOptions) {
  let frames: Frame[] = [...first]
  /** the characters of each frame */
  let sizes: number[] = frames.map(charsOf)
  let held = sum(sizes)
  /** how many of them do not count */
  let free = held
  let ended = false
  /** the end of the log, if it has events that do not come through the queue */
  let head = 0
  let hasRest = false
  let wake: (() => void) | undefined
  /** the last delta, once it is the queue's own copy */
  let growing: Growing | undefined

  /** Appends a delta to the previous one, if it continues it. */
  function join(frame: Frame): boolean {
    const last = frames.at(-1)
    if (last?.kind !== 'pulse' || frame.kind !== 'pulse') return false
    const a = last.pulse
    const b = frame.pulse
    if (a.type !== 'delta' || b.type !== 'delta' || !isSameText(a, b) || a.text.length >= STEP.chars) return false
    if (!growing) frames[frames.length - 1] = { kind: 'pulse', pulse: (growing = { ...a }) }
    growing.text += b.text
    held += b.text.length
    sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + b.text.length
    return true
  }

  function end(): void {
    ended = true
    wake?.()
  }

  function drop(): void {
    frames = [DROPPED]
    sizes = [0]
    held = free = 0
    ended = true
    growing = undefined
    wake?.()
    onDropped?.()
  }

  function leaveOut(last: number): void {
    const isStored = (frame: Frame): boolean => frame.kind === 'event' && frame.event.seq <= last
    if (!frames.some(isStored)) return
    const old = frames.findLastIndex((frame) => isStored(frame) && frame.kind === 'event' && supersedes(frame.event))
    const made = frames[old]
    const seq = made?.kind === 'event' ? made.event.seq : 0
    const stays = frames.map((frame, at) => (at > old || beganAfter(frame, seq)) && !isStored(frame))
    frames = frames.filter((_, at) => stays[at])
    sizes = sizes.filter((_, at) => stays[at])
    held = sum(sizes)
    free = Math.min(free, held)
  }

  function cut(): Frame[] {
    let count = 0
    let chars = 0
    for (; count < Math.min(frames.length, STEP.limit); count++) {
      const size = sizes[count] ?? 0
      if (count > 0 && chars + size > STEP.chars) break
      chars += size
    }
    hasRest = count < frames.length
    const taken = hasRest ? frames.splice(0, count) : frames
    if (hasRest) {
      sizes.splice(0, count)
    } else {
      frames = []
      sizes = []
      growing = undefined
    }
    held -= chars
    free = Math.max(0, free - chars)
    return taken
  }

  return {
    push(frame: Frame, chars = charsOf(frame)): void {
      if (ended) return
      if (held > free && held - free + chars > maxChars) return drop()
      if (!join(frame)) {
        growing = undefined
        frames.push(frame)
        sizes.push(chars)
        held += chars
      }
      wake?.()
    },
    /**
     * Waits for frames and takes as many as a step may have; none if the queue has ended or the log is past `last`.
     * Events up to `last`, which the reader has, are left out, with the text they replace.
     */
    async take(last = 0): Promise<Frame[]> {
      for (;;) {
        if (frames.length === 0 && !ended && head <= last) {
          await new Promise<void>((resolve) => (wake = resolve))
          wake = undefined
        }
        if (last > 0) leaveOut(last)
        if (frames.length > 0 || ended || head > last) return cut()
      }
    },
    /** whether the last `take` left frames */
    get hasRest() {
      return hasRest
    },
    end,
    get hasEnded() {
      return ended
    },
    /** The log has events up to this number; a reader without them must go back to it. */
    behind(stored: number): void {
      head = Math.max(head, stored)
      wake?.()
    },
    /** Whether a reader with everything up to `last` and these frames must go back to the log. */
    misses(taken: readonly Frame[], last: number): boolean {
      let seq = last
      for (const frame of taken) {
        if (frame.kind !== 'event') continue
        if (frame.event.seq > seq + 1) return true
        seq = frame.event.seq
      }
      return !hasRest && head > seq
    },
  }
}

const beganAfter = (frame: Frame, seq: number): boolean => frame.kind === 'pulse' && (frame.pulse.after ?? 0) >= seq

const isSameText = (a: Delta, b: Delta): boolean =>
  a.requestId === b.requestId && a.turn === b.turn && a.kind === b.kind && a.callId === b.callId && a.after === b.after

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
