import { loopStep, STEP } from '../lib/loop-step.ts'
import type { LogStore } from '../store/index.ts'
import { batchesOf, type Batches } from './batches.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'
import { oldText } from './old-text.ts'

export interface FollowOptions {
  /** the number of the last event the follower has; 0 for all of them */
  readonly after?: number
  /** only this round, and end with it */
  readonly requestId?: string
  /** also the output of running tools */
  readonly outputs?: boolean
  readonly signal?: AbortSignal
  /** called as soon as the follower is dropped because it is too slow, even while it is not reading */
  readonly onDropped?: () => void
}

/**
 * Stored events after a number, then live ones and pulses, without a gap or a repeat between them. Events come in
 * batches, and long logs in small steps, so that nobody else waits. A follower that is too slow gets `dropped` and the
 * end. It is written as an iterator because every delta passes here and a generator costs several times as much.
 */
export function follow(store: LogStore, hub: Hub, sessionId: string, options: FollowOptions): Batches<Frame> {
  const { requestId, signal, onDropped, outputs } = options
  let attached: ReturnType<Hub['attach']> | undefined
  let leave: (() => void) | undefined
  let unlisten: (() => void) | undefined
  let last = options.after ?? 0
  let isLive = false
  let isOver = false
  const text = oldText(store, sessionId, last)

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
    unlisten?.()
    return { done: true, value: undefined }
  }

  async function take(): Promise<Frame[] | undefined> {
    if (isLive) return takeLive()
    if (leave) await loopStep()
    if (isOver) return undefined
    leave ??= hub.pages.enter(sessionId)
    unlisten ??= hub.listen(sessionId, () => {})
    // Attached before reading, so that nothing is missed after the last page.
    attach()
    const { frames, isLast } = await hub.pages.get(sessionId, last, () => store.readSlice(sessionId, last, STEP))
    isLive = isLast
    if (isLive) leave()
    else detach()
    last = frames.at(-1)?.event.seq ?? last
    text.see(frames)
    return [...frames]
  }

  async function takeLive(): Promise<Frame[] | undefined> {
    if (!attached) return undefined
    const { queue } = attached
    if (queue.hasRest) await loopStep()
    const taken = await queue.take(last)
    if (taken.length === 0 && queue.hasEnded) return undefined
    if (text.isUnknown(taken)) await text.look(taken)
    if (queue.misses(taken, last)) {
      // A reset is in no log, so it must be passed on.
      const reset = taken.findLast((frame) => frame.kind === 'pulse' && frame.pulse.type === 'reset')
      if (!reset) return goBack()
      queue.behind(Infinity)
      return text.without([reset])
    }
    last = lastOf(taken) ?? last
    return text.without(taken)
  }

  /** Reads what was missed from the log; undefined if the session was deleted. */
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

/** The frames for a follower, and whether the last one ends the stream. */
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
