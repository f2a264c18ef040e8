import { useContext } from 'react'
import { Button } from '../parts/button.tsx'
import type { Followed, Follower } from '../state/follow-session.ts'
import { goTo } from '../state/route.ts'
import { SessionContext, useFollowed } from '../state/session.ts'
import { Early } from './early.tsx'
import { SidebarButton } from './header.tsx'
import { NewConversation } from './new-conversation.tsx'
import { OneConversation } from './one-conversation.tsx'
import { useLasts } from './use-now.ts'
import '../text/text.css'
import './css/header.css'
import './css/document.css'
import './css/call.css'
import './css/ask.css'
import './css/round-end.css'
import './css/files.css'
import './css/composer.css'
import './css/start.css'
import './css/small-screens.css'

/** The middle of the page: a conversation, or the beginning of one. */
export function Conversation({ sessionId }: { sessionId: string | undefined }) {
  const follower = useContext(SessionContext)
  if (sessionId === undefined) return <NewConversation />
  return follower === null ? (
    <Loading sessionId={sessionId} />
  ) : (
    <Shown key={sessionId} sessionId={sessionId} follower={follower} />
  )
}

function Shown({ sessionId, follower }: { sessionId: string; follower: Follower }) {
  const followed = useFollowed(follower)
  const { status, session } = followed
  if (status === 'gone' || (status === 'failed' && !session))
    return <NotThere followed={followed} again={follower.again} />
  if (session)
    return <OneConversation sessionId={sessionId} follower={follower} followed={followed} session={session} />
  return <Loading sessionId={sessionId} error={followed.error} />
}

function NotThere({ followed, again }: { followed: Followed; again: () => void }) {
  return (
    <Bare>
      <h1>{followed.status === 'gone' ? 'There is no such conversation' : 'This conversation cannot be shown'}</h1>
      <p className="muted">
        {followed.status === 'gone' ? 'It was deleted, or it is not yours to read.' : followed.error}
      </p>
      <div className="conv-row">
        {followed.status === 'failed' && <Button onClick={again}>Try again</Button>}
        <Button kind="primary" onClick={() => goTo({ page: 'new' })}>
          New conversation
        </Button>
      </div>
    </Bare>
  )
}

function Loading({ sessionId, error }: { sessionId: string; error?: string | undefined }) {
  const lasts = useLasts(true, 200)
  return (
    <>
      <Top />
      <Early sessionId={sessionId}>
        <div className="conv-bare">
          {error !== undefined && <p className="muted">{error} Trying again…</p>}
          {lasts && error === undefined && (
            <div aria-label="Loading" role="status" className="conv-skeleton">
              {[70, 100, 94, 60, 40, 100, 88].map((width, at) => (
                <div key={at} className="skeleton" style={{ width: `${width}%` }} />
              ))}
            </div>
          )}
        </div>
      </Early>
    </>
  )
}

function Bare({ children }: { children: React.ReactNode }) {
  return (
    <>
      <Top />
      <div className="conv-bare">{children}</div>
    </>
  )
}

const Top = () => (
  <header className="conv-header">
    <SidebarButton />
  </header>
)
