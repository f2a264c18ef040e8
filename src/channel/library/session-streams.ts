import { LOCAL_OWNER } from '../../contract/actor.ts'
import type { Segno } from '../../segno.ts'
import type { Sessions } from '../../round/index.ts'
import type { InboxStore, ListStore, LogStore } from '../../store/index.ts'
import {
  eventPage,
  exportEvents,
  exportMarkdown,
  follow,
  followEncoded,
  hasAll,
  oneByOne,
  type Hub,
} from '../../stream/index.ts'
import type { Following } from './stream-request.ts'

/** The ways to follow a session, for those who may read it. */
export function sessionStreams(
  store: LogStore & ListStore & InboxStore,
  hub: Hub,
  sessions: Sessions,
  following: Following,
): Pick<Segno, 'follow' | 'followRound' | 'stream' | 'eventPage' | 'exportSession' | 'completion'> {
  return {
    async *follow(sessionId, { actor = LOCAL_OWNER, ...options } = {}) {
      await sessions.get(actor, sessionId)
      const { after, requestId } = options
      if (after !== undefined && requestId !== undefined && (await hasAll(store, sessionId, requestId, after))) return
      yield* oneByOne(follow(store, hub, sessionId, options), options.signal)
    },
    async *followRound(sessionId, requestId, { actor = LOCAL_OWNER, ...options } = {}) {
      await sessions.get(actor, sessionId)
      yield* following.round(sessionId, requestId, options)
    },
    stream(actor, options) {
      const batches = followEncoded(store, hub, options)
      return {
        ...batches,
        async *[Symbol.asyncIterator]() {
          await sessions.get(actor, options.sessionId)
          yield* batches
        },
      }
    },
    async eventPage(actor, options) {
      const { workspaceId } = await sessions.get(actor, options.sessionId)
      return eventPage(store, { ...options, workspaceId })
    },
    async exportSession(actor, sessionId, as) {
      const session = await sessions.get(actor, sessionId)
      return as === 'markdown' ? exportMarkdown(store, session) : exportEvents(store, session)
    },
    async completion(sessionId, requestId, given) {
      await sessions.get(given?.actor ?? LOCAL_OWNER, sessionId)
      return following.completion(sessionId, requestId)
    },
  }
}
