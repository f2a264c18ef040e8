import type { Completion } from '../../contract/turn.ts'
import { follow, pictureRound, type Hub } from '../../stream/index.ts'
import type { Store } from '../../store/index.ts'
import type { Following } from './stream-request.ts'

/** Following rounds by their id. `closed` resolves what can no longer be waited for. */
export function createFollowing(store: Store, hub: Hub, closed: AbortSignal): Following {
  return {
    async *round(sessionId, requestId, options = {}) {
      const known = await store.round(requestId)
      const after = options.after ?? (known ? known.startSeq - 1 : ((await store.session(sessionId))?.seq ?? 0))
      yield* follow(store, hub, sessionId, { ...options, after, requestId })
    },

    completion(sessionId, requestId) {
      return new Promise<Completion>((resolve) => {
        const picture = pictureRound(sessionId, requestId)
        let seen = 0
        const done = (): void => {
          unsubscribe()
          closed.removeEventListener('abort', done)
          resolve(picture.completion())
        }
        const unsubscribe = store.subscribe((id, events) => {
          if (id !== sessionId) return
          for (const event of events) {
            if (event.type === 'session.deleted') return done()
            if (event.requestId !== requestId || event.seq <= seen) continue
            seen = event.seq
            picture.see({ kind: 'event', event })
            if (event.type === 'round.ended') return done()
          }
        })
        closed.addEventListener('abort', done, { once: true })
        // What came before this listener: only a round that is already known has anything.
        void store.round(requestId).then(async (round) => {
          if (!round) return
          for (const event of await store.read(sessionId, { after: round.startSeq - 1 })) {
            if (event.requestId !== requestId || event.seq <= seen) continue
            seen = event.seq
            picture.see({ kind: 'event', event })
            if (event.type === 'round.ended') return done()
          }
        })
      })
    },
  }
}
