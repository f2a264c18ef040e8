import { useContext } from 'react'
import { Button } from '../parts/button.tsx'
import type { Followed, Follower } from '../state/follow-session.ts'
import { goTo } from '../state/route.ts'
import { SessionContext, useFollowed } from '../state/session.ts'
import { SidebarButton } from './header.tsx'
import { NewConversation } from './new-conversation.tsx'
import { OneConversation } from './one-conversation.tsx'
import { useLasts } from './use-now.ts'
import '../text/text.css'
import './conversation.css'

/** The middle of the page: a conversation, or the beginning of one. */
export function Conversation({ sessionId }: { sessionId: string | undefined }) {
  const follower = useContext(SessionContext)
  if (sessionId === undefined) return <NewConversation />
  return follower === null ? <Loading /> : <Shown key={sessionId} sessionId={sessionId} follower={follower} />
}

function Shown({ sessionId, follower }: { sessionId: string; follower: Follower }) {
  const followed = useFollowed(follower)
  if (followed.session) {
    return <OneConversation sessionId={sessionId} follower={follower} followed={followed} session={followed.session} />
  }
  if (followed.status === 'gone' || followed.status === 'failed') return <NotThere followed={followed} />
  return <Loading error={followed.error} />
}

function NotThere({ followed }: { followed: Followed }) {
  return (
    <Bare>
      <h1>{followed.status === 'gone' ? 'There is no such conversation' : 'This conversation cannot be shown'}</h1>
      <p className="muted">
        {followed.status === 'gone' ? 'It was deleted, or it is not yours to read.' : followed.error}
      </p>
      <div className="conv-row">
        {followed.status === 'failed' && <Button onClick={() => location.reload()}>Try again</Button>}
        <Button kind="primary" onClick={() => goTo({ page: 'new' })}>
          New conversation
        </Button>
      </div>
    </Bare>
  )
}

function Loading({ error }: { error?: string | undefined }) {
  const lasts = useLasts(true, 200)
  return (
    <Bare>
      {error !== undefined && <p className="muted">{error} Trying again…</p>}
      {lasts && error === undefined && (
        <div aria-label="Loading" role="status" className="conv-skeleton">
          {[70, 100, 94, 60, 40, 100, 88].map((width, at) => (
            <div key={at} className="skeleton" style={{ width: `${width}%` }} />
          ))}
        </div>
      )}
    </Bare>
  )
}

function Bare({ children }: { children: React.ReactNode }) {
  return (
    <>
      <header className="conv-header">
        <SidebarButton />
      </header>
      <div className="conv-bare">{children}</div>
    </>
  )
}
