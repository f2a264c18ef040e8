import type { Store } from '../store/index.ts'
import type { Frame } from './frame-queue.ts'
import type { Hub } from './hub.ts'

export interface FollowOptions {
  /** the number of the last event the follower has; 0 for all of them */
  readonly after?: number
  /** only this round, and end with it */
  readonly requestId?: string
  readonly signal?: AbortSignal
}

const PAGE = 1000

/** Stored events from the cursor on, then live ones and pulses, without a gap or a repeat at the seam. */
export async function* follow(
  store: Store,
  hub: Hub,
  sessionId: string,
  options: FollowOptions,
): AsyncGenerator<Frame, void> {
  if (options.signal?.aborted) return
  const { queue, detach } = hub.attach(sessionId)
  options.signal?.addEventListener('abort', detach, { once: true })
  const wanted = (frame: Frame): boolean => options.requestId === undefined || requestIdOf(frame) === options.requestId
  try {
    let last = options.after ?? 0
    for (;;) {
      const events = await store.read(sessionId, { after: last, limit: PAGE })
      for (const event of events) {
        if (options.signal?.aborted) return
        const frame: Frame = { kind: 'event', event }
        if (wanted(frame)) yield frame
        if (ends(frame, options.requestId)) return
      }
      last = events.at(-1)?.seq ?? last
      if (events.length < PAGE) break
    }
    for (;;) {
      const frames = await queue.take()
      if (frames.length === 0 || options.signal?.aborted) return
      for (const frame of afterStored(frames, last)) {
        if (frame.kind === 'event') last = frame.event.seq
        if (wanted(frame)) yield frame
        if (ends(frame, options.requestId) || options.signal?.aborted) return
      }
    }
  } finally {
    options.signal?.removeEventListener('abort', detach)
    detach()
  }
}

/** Events the follower read from the store are dropped, and with them the pulses that came before. */
function afterStored(frames: Frame[], last: number): Frame[] {
  const at = frames.findLastIndex((frame) => frame.kind === 'event' && frame.event.seq <= last)
  return at < 0 ? frames : frames.slice(at + 1)
}

const requestIdOf = (frame: Frame): string | null =>
  frame.kind === 'event' ? frame.event.requestId : frame.pulse.requestId

function ends(frame: Frame, requestId: string | undefined): boolean {
  if (frame.kind !== 'event') return false
  if (frame.event.type === 'session.deleted') return true
  return requestId !== undefined && frame.event.type === 'round.ended' && frame.event.requestId === requestId
}
