import { useEffect } from 'react'
import type { Follower } from '../state/follow-session.ts'
import { refresh } from '../state/polled.ts'

/** What the log tells also changes what is polled: it is read again at once. */
export function useRefreshes(follower: Follower): void {
  useEffect(() => {
    let seen = follower.state.get().log.last
    return follower.state.subscribe(() => {
      const { log } = follower.state.get()
      if (log.last <= seen) return
      const paths = new Set<string>()
      for (let at = log.events.length - 1; at >= 0; at--) {
        const event = log.events[at]
        if (!event || event.seq <= seen) break
        if (event.type.startsWith('approval.')) paths.add('/api/approvals')
        else if (event.type === 'tool.reconciled') paths.add('/api/calls')
        else if (/^(session|round)\./.test(event.type)) paths.add('/api/sessions').add('/api/rounds')
      }
      seen = log.last
      for (const path of paths) refresh(path)
    })
  }, [follower])
}
