import type { LogStore } from '../log.ts'
import type { Base } from './base.ts'
import { snapshotsIn } from './snapshots.ts'

type Role = Omit<LogStore, 'commit' | 'subscribe' | 'watch'>

export function logStore({ query, node, version, owned, events, blobs }: Base): Role {
  return {
    claim: owned.claim,
    release: (sessionId, othersMayClaim = true) => owned.release(sessionId, othersMayClaim),
    async unfinished(most = Infinity) {
      const values = [node.id(), version, Math.min(most, Number.MAX_SAFE_INTEGER)]
      return (await query<{ session_id: string }>('SELECT session_id FROM unfinished($1, $2, $3)', values)).map(
        ({ session_id }) => session_id,
      )
    },
    read: async (sessionId, range = {}) => (await events(sessionId, range)).events,
    readSlice: (sessionId, after, { limit, chars }) => events(sessionId, { after, limit }, chars),
    ...snapshotsIn(query),
    blob: blobs.get,
    file: blobs.file,
  }
}
