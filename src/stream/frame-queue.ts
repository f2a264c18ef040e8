import type { Pulse } from '../contract/pulse.ts'
import { STEP } from '../lib/loop-step.ts'
import { charsOf, DROPPED, type Frame } from './frame.ts'
import { supersedes } from './supersedes.ts'

export type FrameQueue = ReturnType<typeof frameQueue>

export interface QueueOptions {
  /** characters it may hold; an empty queue takes a frame of any size */
  readonly maxChars: number
  /** what it begins with; nobody is too slow for that */
  readonly first?: readonly Frame[]
  /** called once, at the moment the reader is dropped, whether or not it is reading */
  readonly onDropped?: (() => void) | undefined
}

type Delta = Extract<Pulse, { type: 'delta' }>
type Growing = { -readonly [K in keyof Delta]: Delta[K] }

/**
 * Between one writer and one reader. Deltas a reader has not taken yet are joined. A reader that leaves more than it
 * may is dropped: what it had not taken is thrown away, and all it gets then is a last frame that says so.
 */
export function frameQueue({ maxChars, first = [], onDropped }: QueueOptions) {
  let frames: Frame[] = [...first]
  /** what each of them counts for */
  let sizes: number[] = frames.map(charsOf)
  let held = sum(sizes)
  /** how much of what is held does not count */
  let free = held
  let ended = false
  let hasLapsed = false
  let hasRest = false
  let wake: (() => void) | undefined
  /** the delta at the end, once it is the queue's own copy */
  let growing: Growing | undefined

  /** Adds a delta to the one before it, if it goes on where that one ends. */
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
    const stays = frames.map((frame, at) => at > old && !isStored(frame))
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
    /** `chars`: what it counts for, where the caller knows */
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
     * What is there now, oldest first, as much as a step may have; empty if the queue has ended. Waits until there is
     * something. What is stored up to `last` the reader has: it is left out, and the text it has made old with it.
     */
    async take(last = 0): Promise<Frame[]> {
      for (;;) {
        if (frames.length === 0 && !ended) {
          await new Promise<void>((resolve) => (wake = resolve))
          wake = undefined
        }
        if (last > 0) leaveOut(last)
        if (frames.length > 0 || ended) return cut()
      }
    },
    /** the last `take` left something */
    get hasRest() {
      return hasRest
    },
    end,
    /** Ends because the reader has to go back to the log: more is stored than it was told. */
    lapse(): void {
      hasLapsed = true
      end()
    },
    get hasLapsed() {
      return hasLapsed
    },
  }
}

const isSameText = (a: Delta, b: Delta): boolean =>
  a.requestId === b.requestId && a.turn === b.turn && a.kind === b.kind && a.callId === b.callId

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
