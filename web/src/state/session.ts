import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { followSession, type Followed, type Follower } from './follow-session.ts'
import { usePreferences } from './preferences.ts'

/** The session the page shows, for everything inside it. */
export const SessionContext = createContext<Follower | null>(null)

/** Follows a session for as long as a component shows it. */
export function useFollower(sessionId: string | undefined): Follower | null {
  const { outputs } = usePreferences()
  const [follower, setFollower] = useState<{ id: string; follower: Follower } | null>(null)
  useEffect(() => {
    if (sessionId === undefined) return setFollower(null)
    const next = followSession(sessionId)
    setFollower({ id: sessionId, follower: next })
    return () => next.close()
  }, [sessionId])
  useEffect(() => {
    if (outputs) void follower?.follower.showOutputs()
  }, [follower, outputs])
  return follower && follower.id === sessionId ? follower.follower : null
}

export function useSession(): Follower {
  const follower = useContext(SessionContext)
  if (!follower) throw new Error('There is no session around this component.')
  return follower
}

export function useFollowed(follower: Follower): Followed {
  return useSyncExternalStore(follower.state.subscribe, follower.state.get)
}
