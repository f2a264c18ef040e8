import { Problem } from '../../contract/problem.ts'
import type { InboxStore } from '../inbox.ts'
import type { Base } from './base.ts'
import type { Handle, Handles } from './handles.ts'

export function inboxStore(
  { group, claims, inputs, blobs, rowOf, reading, living }: Base,
  handles: Handles,
  me: Handle,
): InboxStore {
  return {
    putInput(input, claim, files = [], most = Infinity) {
      return group.run(() => {
        const taken = claim && claims.find(claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const row = living(input.sessionId)
        if (!row) throw new Problem('NOT_FOUND', `There is no session ${input.sessionId}.`)
        const waiting = inputs.waiting(row.num, input.key)
        if (waiting !== undefined) return { kind: 'waits', id: waiting } as const
        if (most !== Infinity && inputs.count(row.num) >= most) return 'full' as const
        inputs.put(input, row.num)
        blobs.put(files)
        if (claim) claims.put(claim, row.num, input.at)
        handles.otherOwner(me, input.sessionId)?.unread.add(input.sessionId)
        return 'stored' as const
      })
    },
    pendingInputs(sessionId) {
      return reading(() => {
        const num = me.owned.get(sessionId)?.num ?? rowOf(sessionId)?.num
        return num === undefined ? [] : inputs.pending(sessionId, num)
      })
    },
    async unread() {
      const unread = [...me.unread].filter((id) => me.owned.has(id))
      me.unread.clear()
      return unread
    },
    queuedMessage: (requestId) => reading(() => inputs.message(requestId)),
    findClaim: (key) => reading(() => claims.find(key)),
    forgetClaims: (before, most) => group.run(() => claims.forget(before, most)),
  }
}
