import { useEffect } from 'react'
import type { Follower } from './follow-session.ts'
import { refresh } from './polled.ts'

/** Reads polled lists again as soon as an event says that they have changed. */
export function useRefreshes(follower: Follower | null): void {
  useEffect(() => (follower ? watch(follower) : undefined), [follower])
}

function watch({ state }: Follower): () => void {
  let seen = state.get().log.last
  return state.subscribe(() => {
    const { log } = state.get()
    if (log.last <= seen) return
    const paths = new Set<string>()
    for (let at = log.events.length - 1; at >= 0; at--) {
      const event = log.events[at]
      if (!event || event.seq <= seen) break
      if (event.type.startsWith('approval.')) paths.add('/api/approvals').add('/api/sessions?')
      else if (event.type === 'tool.reconciled') paths.add('/api/calls')
      else if (/^(session|round)\./.test(event.type)) paths.add('/api/sessions?').add('/api/rounds')
    }
    seen = log.last
    for (const path of paths) refresh(path)
  })
}
