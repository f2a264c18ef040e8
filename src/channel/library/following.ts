import type { StoredEvent } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'
import { beforeRound, follow, oneByOne, pictureRound, type Hub } from '../../stream/index.ts'
import { eventSteps, type InboxStore, type ListStore, type LogStore } from '../../store/index.ts'
import type { Following } from './stream-request.ts'

/** Following rounds by their id. `closed` resolves what can no longer be waited for. */
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
          // Who takes a long time between two frames still gets all of them: it goes on from the log.
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
      function see(events: readonly StoredEvent[]): void {
        for (const event of events) {
          if (event.type === 'session.deleted') ended.resolve()
          if (event.requestId !== requestId || event.seq <= seen) continue
          seen = event.seq
          picture.see({ kind: 'event', event })
          if (event.type === 'round.ended') ended.resolve()
        }
      }
      /** what is stored here while earlier events are still being read: it waits for them */
      let early: StoredEvent[] | undefined = []
      /** False if there is no such round, nor a message that waits to become it. */
      async function catchUp(): Promise<boolean> {
        const meanwhile: StoredEvent[] = (early = [])
        const isQueued = (await store.queuedMessage(requestId)) !== undefined
        const round = await store.roundIn(sessionId, requestId)
        // Up to its end if it has one: what comes after a round may be a long log.
        const range = round && { after: Math.max(seen, round.startSeq - 1), upTo: round.endSeq ?? Infinity }
        if (range) for await (const events of eventSteps(store, sessionId, range)) see(events)
        // If it is being read anew by now, that reads this too.
        if (early === meanwhile) {
          early = undefined
          see(meanwhile)
        }
        return isQueued || round !== undefined
      }
      const unsubscribe = [
        store.subscribe((id, events) => {
          if (id !== sessionId) return
          if (early) early.push(...events)
          else see(events)
        }),
        store.subscribeElsewhere((id) => {
          if (id === sessionId) catchUp().then((isThere) => isThere || ended.resolve(), ended.reject)
        }),
      ]
      const forget = wait(requestId, ended.resolve)
      try {
        if (fresh) early = undefined
        else if (!(await catchUp())) throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
        await ended.promise
      } finally {
        for (const stop of unsubscribe) stop()
        forget()
      }
      return picture.completion()
    },
  }
}
