import type { Store } from '../store/index.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'
import { supersedes } from './supersedes.ts'

export interface FollowOptions {
  /** the number of the last event the follower has; 0 for all of them */
  readonly after?: number
  /** only this round, and end with it */
  readonly requestId?: string
  readonly signal?: AbortSignal
  /** the follower does not keep up and was dropped; called at once, while it may not even be reading */
  readonly onDropped?: () => void
}

const PAGE = { limit: 256, chars: 250_000 }

/**
 * Stored events from the cursor on, then live ones and pulses, without a gap or a repeat at the seam. What is there is
 * given in one batch, so that a burst costs a reader one step. A follower that does not keep up gets `dropped` and the end.
 */
export async function* follow(
  store: Store,
  hub: Hub,
  sessionId: string,
  options: FollowOptions,
): AsyncGenerator<Frame[], void> {
  const { requestId, signal, onDropped } = options
  if (signal?.aborted) return
  const { queue, detach } = hub.attach(sessionId, { onDropped })
  signal?.addEventListener('abort', detach, { once: true })
  try {
    let last = options.after ?? 0
    for (;;) {
      const { events, isLast } = await store.readSlice(sessionId, last, PAGE)
      if (signal?.aborted) return
      const { batch, isOver } = wanted(
        events.map((event) => ({ kind: 'event', event })),
        requestId,
      )
      if (batch.length > 0) yield batch
      if (isOver) return
      last = events.at(-1)?.seq ?? last
      if (isLast) break
    }
    for (;;) {
      const taken = await queue.take()
      if (taken.length === 0 || signal?.aborted) return
      const { batch, isOver } = wanted(afterStored(taken, last), requestId)
      if (batch.length > 0) yield batch
      if (isOver) return
    }
  } finally {
    signal?.removeEventListener('abort', detach)
    detach()
  }
}

/** Events the follower read from the store are dropped, and with them the text that such an event has made old. */
function afterStored(frames: Frame[], last: number): Frame[] {
  const isStored = (frame: Frame): boolean => frame.kind === 'event' && frame.event.seq <= last
  if (!frames.some(isStored)) return frames
  const old = frames.findLastIndex((frame) => isStored(frame) && frame.kind === 'event' && supersedes(frame.event))
  return frames.slice(old + 1).filter((frame) => !isStored(frame))
}

/** What a follower wants of these frames, and whether it is over with the last of them. */
function wanted(frames: readonly Frame[], requestId: string | undefined): { batch: Frame[]; isOver: boolean } {
  const batch: Frame[] = []
  for (const frame of frames) {
    if (requestId === undefined || frame.kind === 'dropped' || requestIdOf(frame) === requestId) batch.push(frame)
    if (ends(frame, requestId)) return { batch, isOver: true }
  }
  return { batch, isOver: false }
}

const requestIdOf = (frame: Exclude<Frame, { kind: 'dropped' }>): string | null =>
  frame.kind === 'event' ? frame.event.requestId : frame.pulse.requestId

function ends(frame: Frame, requestId: string | undefined): boolean {
  if (frame.kind !== 'event') return frame.kind === 'dropped'
  if (frame.event.type === 'session.deleted') return true
  return requestId !== undefined && frame.event.type === 'round.ended' && frame.event.requestId === requestId
}
