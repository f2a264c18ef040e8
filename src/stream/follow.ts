import { loopStep, STEP } from '../lib/loop-step.ts'
import type { LogStore } from '../store/index.ts'
import { batchesOf, type Batches } from './batches.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'

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

/**
 * Stored events from the cursor on, then live ones and pulses, without a gap or a repeat at the seam. What is there is
 * given in steps, so that a burst costs a reader few of them and a long log keeps nobody waiting. A follower that does
 * not keep up with what is live gets `dropped` and the end.
 * Written out as an iterator: every delta passes here, and a generator costs several times as much.
 */
export function follow(store: LogStore, hub: Hub, sessionId: string, options: FollowOptions): Batches<Frame> {
  const { requestId, signal, onDropped, outputs } = options
  let attached: ReturnType<Hub['attach']> | undefined
  let leave: (() => void) | undefined
  let last = options.after ?? 0
  let isLive = false
  let isOver = false

  function attach(): void {
    attached = hub.attach(sessionId, { onDropped, outputs })
    signal?.addEventListener('abort', attached.detach, { once: true })
  }

  function detach(): void {
    if (attached) signal?.removeEventListener('abort', attached.detach)
    attached?.detach()
    attached = undefined
  }

  function end(): IteratorReturnResult<undefined> {
    isOver = true
    detach()
    leave?.()
    return { done: true, value: undefined }
  }

  async function take(): Promise<Frame[] | undefined> {
    if (isLive) return takeLive()
    if (leave) await loopStep()
    if (isOver) return undefined
    leave ??= hub.pages.enter(sessionId)
    // Attached before it is read, so that nothing is missed after the last page. Before any other nothing is kept.
    attach()
    const { frames, isLast } = await hub.pages.get(sessionId, last, () => store.readSlice(sessionId, last, STEP))
    isLive = isLast
    if (isLive) leave()
    else detach()
    last = frames.at(-1)?.event.seq ?? last
    return [...frames]
  }

  async function takeLive(): Promise<Frame[] | undefined> {
    if (!attached) return undefined
    const { queue } = attached
    if (queue.hasRest) await loopStep()
    const taken = await queue.take(last)
    last = lastOf(taken) ?? last
    if (taken.length > 0) return taken
    return queue.hasLapsed && !signal?.aborted ? goBack() : undefined
  }

  /** Somebody else stored something: it is read from the log, unless it was that the session is deleted. */
  async function goBack(): Promise<Frame[] | undefined> {
    detach()
    isLive = false
    const [first] = await store.read(sessionId, { limit: 1 })
    return first && take()
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

function lastOf(frames: readonly Frame[]): number | undefined {
  const last = frames.findLast((frame) => frame.kind === 'event')
  return last?.event.seq
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
