import { createContext, useContext, useEffect, useState } from 'react'
import { followSession, type Followed, type Follower } from './follow-session.ts'
import { usePreferences } from './preferences.ts'
import { useStore } from './store.ts'

/** The session the page shows, for everything inside it. */
export const SessionContext = createContext<Follower | null>(null)

/** Follows a session for as long as a component shows it. */
export function useFollower(sessionId: string | undefined): Follower | null {
  const { outputs } = usePreferences()
  const [follower, setFollower] = useState<Follower | null>(null)
  useEffect(() => begin(sessionId, setFollower), [sessionId])
  useEffect(() => {
    if (outputs) follower?.showOutputs()
  }, [follower, outputs])
  return follower?.id === sessionId ? follower : null
}

/** Outside of the hook, so that its cleanup does not keep the log of the session before in memory. */
function begin(sessionId: string | undefined, show: (follower: Follower | null) => void): (() => void) | undefined {
  const follower = sessionId === undefined ? null : followSession(sessionId)
  show(follower)
  return () => follower?.close()
}

export function useSession(): Follower {
  const follower = useContext(SessionContext)
  if (!follower) throw new Error('There is no session around this component.')
  return follower
}

export const useFollowed = (): Followed => useStore(useSession().state)
