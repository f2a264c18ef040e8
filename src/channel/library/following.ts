import type { StoredEvent } from '../../contract/event.ts'
import { isStoreAway, Problem } from '../../contract/problem.ts'
import { delay } from '../../lib/delay.ts'
import { beforeRound, follow, oneByOne, pictureRound, type Hub } from '../../stream/index.ts'
import { eventSteps, type InboxStore, type ListStore, type LogStore } from '../../store/index.ts'
import type { Following } from './stream-request.ts'

const AGAIN_MS = 1000

/** When `closed` aborts, waiting completions resolve. */
export function createFollowing(store: LogStore & InboxStore & ListStore, hub: Hub, closed: AbortSignal): Following {
  const waiting = new Map<string, Set<() => void>>()
  const drop = (requestId: string): void => waiting.get(requestId)?.forEach((end) => end())
  closed.addEventListener('abort', () => [...waiting.keys()].forEach(drop), { once: true })

  function wait(requestId: string, end: () => void): () => void {
    const ends = waiting.get(requestId) ?? new Set()
    waiting.set(requestId, ends.add(end))
    return () => {
      ends.delete(end)
      if (ends.size === 0) waiting.delete(requestId)
    }
  }

  return {
    drop,
    async *round(sessionId, requestId, options = {}) {
      let after = options.after ?? (await beforeRound(store, sessionId, requestId))
      for (let isBehind = true; isBehind;) {
        isBehind = false
        const batches = follow(store, hub, sessionId, { ...options, after, requestId })
        for await (const frame of oneByOne(batches, options.signal)) {
          // A slow reader still gets all frames, from the log.
          if (frame.kind === 'dropped') isBehind = true
          else yield frame
          if (frame.kind === 'event') after = frame.event.seq
        }
      }
    },

    async completion(sessionId, requestId, fresh = false) {
      const picture = pictureRound(sessionId, requestId)
      const ended = Promise.withResolvers<void>()
      ended.promise.catch(() => {})
      let seen = 0
      let wasThere = false
      const isEnd = (event: StoredEvent): boolean =>
        event.type === 'session.deleted' || (event.type === 'round.ended' && event.requestId === requestId)
      function see(events: readonly StoredEvent[]): void {
        for (const event of events) {
          if (event.type === 'session.deleted') ended.resolve()
          if (event.requestId !== requestId || event.seq <= seen) continue
          seen = event.seq
          picture.see({ kind: 'event', event })
          if (event.type === 'round.ended') ended.resolve()
        }
      }
      /** events stored while earlier ones are still being read */
      let early: StoredEvent[] | undefined = []
      /** False if there is no such round, not even a queued one. */
      async function catchUp(): Promise<boolean> {
        const meanwhile: StoredEvent[] = (early = [])
        const isQueued = (await store.queuedMessage(requestId)) !== undefined
        const round = await store.roundIn(sessionId, requestId)
        // Only up to the end of the round, because the log after it may be long.
        const range = round && { after: Math.max(seen, round.startSeq - 1), upTo: round.endSeq ?? Infinity }
        if (range) for await (const events of eventSteps(store, sessionId, range)) see(events)
        // A newer `catchUp` reads these events too.
        if (early === meanwhile) {
          early = undefined
          see(meanwhile)
        }
        return isQueued || round !== undefined
      }
      /** Retries if the store is unavailable, because nothing else reports the end of the round. */
      async function look(): Promise<void> {
        try {
          const isThere = await catchUp()
          wasThere ||= isThere || seen > 0
          // A fresh round may not exist yet; if it is refused, `drop` is called.
          if (!isThere && (wasThere || !fresh)) ended.resolve()
        } catch (error) {
          if (!isStoreAway(error)) return ended.reject(error)
          // Only one retry at a time.
          if (looksAgain) return
          looksAgain = true
          await delay(AGAIN_MS, over.signal)
          looksAgain = false
          if (!over.signal.aborted) void look()
        }
      }
      let looksAgain = false
      const over = new AbortController()
      const unsubscribe = [
        store.subscribe((id, events) => {
          if (id !== sessionId) return
          if (early) early.push(...events)
          else see(events)
        }),
        hub.listen(sessionId, (events) => {
          if (!events || events.some(isEnd)) void look()
        }),
      ]
      const forget = wait(requestId, ended.resolve)
      try {
        if (fresh) early = undefined
        else if (!(await catchUp())) throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
        await ended.promise
      } finally {
        over.abort()
        for (const stop of unsubscribe) stop()
        forget()
      }
      return picture.completion()
    },
  }
}
