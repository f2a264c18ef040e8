import { useContext } from 'react'
import { Button } from '../parts/button.tsx'
import { goTo } from '../state/route.ts'
import { SessionContext, useFollowed, useSession } from '../state/session.ts'
import { LoadingConversation } from './loading-conversation.tsx'
import { SidebarButton } from './header.tsx'
import { NewConversation } from './new-conversation.tsx'
import { OneConversation } from './one-conversation.tsx'
import '../text/text.css'
import './css/header.css'
import './css/document.css'
import './css/call.css'
import './css/ask.css'
import './css/files.css'
import './css/composer.css'
import './css/start.css'
import './css/small-screens.css'

/** The middle of the page: a conversation, or the beginning of one. */
export function Conversation({ sessionId }: { sessionId: string | undefined }) {
  const follower = useContext(SessionContext)
  if (sessionId === undefined) return <NewConversation />
  return follower === null ? <LoadingConversation sessionId={sessionId} /> : <Shown key={sessionId} />
}

function Shown() {
  const { id } = useSession()
  const { status, session, error } = useFollowed()
  if (status === 'gone' || (status === 'failed' && !session)) return <NotThere />
  return session ? <OneConversation session={session} /> : <LoadingConversation sessionId={id} error={error} />
}

function NotThere() {
  const { again } = useSession()
  const { status, error } = useFollowed()
  return (
    <>
      <header className="conv-header row">
        <SidebarButton />
      </header>
      <div className="conv-bare column">
        <h1>{status === 'gone' ? 'There is no such conversation' : 'This conversation cannot be shown'}</h1>
        <p className="muted">{status === 'gone' ? 'It was deleted, or it is not yours to read.' : error}</p>
        <div className="row wrap">
          {status === 'failed' && <Button onClick={again}>Try again</Button>}
          <Button kind="primary" onClick={() => goTo({ page: 'new' })}>
            New conversation
          </Button>
        </div>
      </div>
    </>
  )
}
