import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'

/** What a follower gets: a fact that is stored, or a live delta of a turn. */
export type Frame =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'pulse'; readonly pulse: Pulse }

/** Between one writer and one reader. Deltas a slow reader has not taken yet are joined, so it holds few of them. */
export interface FrameQueue {
  push(frame: Frame): void
  /** All that is there now, oldest first; empty if the queue has ended. Waits until there is something. */
  take(): Promise<Frame[]>
  end(): void
}

export function frameQueue(): FrameQueue {
  let frames: Frame[] = []
  let ended = false
  let wake: (() => void) | undefined

  return {
    push(frame) {
      if (ended) return
      const joined = join(frames.at(-1), frame)
      if (joined) frames[frames.length - 1] = joined
      else frames.push(frame)
      wake?.()
    },
    async take() {
      if (frames.length === 0 && !ended) {
        await new Promise<void>((resolve) => (wake = resolve))
        wake = undefined
      }
      const taken = frames
      frames = []
      return taken
    },
    end() {
      ended = true
      wake?.()
    },
  }
}

function join(last: Frame | undefined, next: Frame): Frame | undefined {
  if (last?.kind !== 'pulse' || next.kind !== 'pulse') return undefined
  const a = last.pulse
  const b = next.pulse
  if (a.type !== 'delta' || b.type !== 'delta') return undefined
  if (a.requestId !== b.requestId || a.turn !== b.turn) return undefined
  if (a.kind !== b.kind || a.callId !== b.callId) return undefined
  return { kind: 'pulse', pulse: { ...a, text: a.text + b.text } }
}
