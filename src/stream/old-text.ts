import type { LogStore } from '../store/index.ts'
import type { Frame } from './frame.ts'
import { supersedes } from './supersedes.ts'

/**
 * Leaves out pulses whose text the follower already has in an event or must forget, because the log can be ahead of the
 * pulses. `start` is the last event the follower had when it came.
 */
export function oldText(store: LogStore, sessionId: string, start: number) {
  /** the last event that replaced the text before it */
  let old = 0
  /** events from here on were looked at for that */
  let known = start

  function isNeeded(frame: Frame): boolean {
    if (frame.kind === 'event' && supersedes(frame.event)) old = frame.event.seq
    return frame.kind !== 'pulse' || frame.pulse.after === undefined || frame.pulse.after >= old
  }

  return {
    see(frames: readonly Frame[]): void {
      for (const frame of frames) isNeeded(frame)
    },
    /** The same array if none is left out. */
    without(frames: Frame[]): Frame[] {
      let kept: Frame[] | undefined
      for (const [at, frame] of frames.entries()) {
        if (!isNeeded(frame)) kept ??= frames.slice(0, at)
        else kept?.push(frame)
      }
      return kept ?? frames
    },
    /** For text that began before the follower came, reads the events it already had. */
    async look(frames: readonly Frame[]): Promise<void> {
      for (const frame of frames) {
        if (!isUnknown(frame, known)) continue
        const { after } = frame.pulse
        const before = await store.read(sessionId, { after, upTo: known })
        known = after
        old = Math.max(old, before.findLast(supersedes)?.seq ?? 0)
      }
    },
    /** Whether `look` is needed. */
    isUnknown: (frames: readonly Frame[]): boolean => frames.some((frame) => isUnknown(frame, known)),
  }
}

function isUnknown(frame: Frame, known: number): frame is Frame & { kind: 'pulse'; pulse: { after: number } } {
  return frame.kind === 'pulse' && frame.pulse.after !== undefined && frame.pulse.after < known
}
