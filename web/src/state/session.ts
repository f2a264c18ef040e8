import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { followSession, type Followed, type Follower } from './follow-session.ts'
import { usePreferences } from './preferences.ts'

/** The session the page shows, for everything inside it. */
export const SessionContext = createContext<Follower | null>(null)

type Shown = { readonly id: string; readonly follower: Follower } | null

/** Follows a session for as long as a component shows it. */
export function useFollower(sessionId: string | undefined): Follower | null {
  const { outputs } = usePreferences()
  const [shown, setShown] = useState<Shown>(null)
  useEffect(() => begin(sessionId, setShown), [sessionId])
  useEffect(() => {
    if (outputs) shown?.follower.showOutputs()
  }, [shown, outputs])
  return shown && shown.id === sessionId ? shown.follower : null
}

/** Outside of the hook: what ends one session must not hold the one before it, or no log would ever be let go. */
function begin(sessionId: string | undefined, show: (shown: Shown) => void): (() => void) | undefined {
  if (sessionId === undefined) {
    show(null)
    return undefined
  }
  const follower = followSession(sessionId)
  show({ id: sessionId, follower })
  return () => follower.close()
}

export function useSession(): Follower {
  const follower = useContext(SessionContext)
  if (!follower) throw new Error('There is no session around this component.')
  return follower
}

export function useFollowed(follower: Follower): Followed {
  return useSyncExternalStore(follower.state.subscribe, follower.state.get)
}
