import type { Store } from '../store/index.ts'
import { batchesOf, type Batches } from './batches.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'
import { supersedes } from './supersedes.ts'

export interface FollowOptions {
  /** the number of the last event the follower has; 0 for all of them */
  readonly after?: number
  /** only this round, and end with it */
  readonly requestId?: string
  /** also what running tools put out */
  readonly outputs?: boolean
  readonly signal?: AbortSignal
  /** the follower does not keep up and was dropped; called at once, while it may not even be reading */
  readonly onDropped?: () => void
}

const PAGE = { limit: 256, chars: 250_000 }

/**
 * Stored events from the cursor on, then live ones and pulses, without a gap or a repeat at the seam. What is there is
 * given in one batch, so that a burst costs a reader one step. A follower that does not keep up gets `dropped` and the end.
 * Written out as an iterator: every delta passes here, and a generator costs several times as much.
 */
export function follow(store: Store, hub: Hub, sessionId: string, options: FollowOptions): Batches<Frame> {
  const { requestId, signal, onDropped } = options
  let attached: ReturnType<Hub['attach']> | undefined
  let last = options.after ?? 0
  let isLive = false
  let isOver = false

  function attach(): ReturnType<Hub['attach']> {
    attached = hub.attach(sessionId, { onDropped, outputs: options.outputs })
    signal?.addEventListener('abort', attached.detach, { once: true })
    return attached
  }

  function end(): IteratorReturnResult<undefined> {
    isOver = true
    if (attached) signal?.removeEventListener('abort', attached.detach)
    attached?.detach()
    return { done: true, value: undefined }
  }

  async function take(): Promise<Frame[] | undefined> {
    const { queue } = attached ?? attach()
    if (isLive) {
      const taken = await queue.take()
      return taken.length === 0 ? undefined : afterStored(taken, last)
    }
    const { events, isLast } = await store.readSlice(sessionId, last, PAGE)
    isLive = isLast
    last = events.at(-1)?.seq ?? last
    return events.map((event) => ({ kind: 'event', event }))
  }

  async function next(): Promise<IteratorResult<Frame[], undefined>> {
    try {
      for (;;) {
        if (isOver || signal?.aborted) return end()
        const frames = await take()
        if (frames === undefined || signal?.aborted) return end()
        const { batch, isOver: isEnd } = wanted(frames, requestId)
        if (isEnd) end()
        if (batch.length > 0) return { done: false, value: batch }
      }
    } catch (error) {
      end()
      throw error
    }
  }

  return batchesOf(next, end)
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
