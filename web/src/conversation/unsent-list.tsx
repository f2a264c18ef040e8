import type { Page, RoundSummary } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { cancelRound } from '../sessions/session-actions.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { drop, takeBack, tryAgain } from './outbox.ts'
import { attempt } from './trouble.ts'
import type { Unsent } from './unsent.ts'
import { UserText } from './user-message.tsx'

/** Messages that are not in the log yet, and how they stand. */
export function UnsentList({ unsent, isBusy }: { unsent: readonly Unsent[]; isBusy: boolean }) {
  return unsent.map((one) => (
    <article key={one.key} className="conv-message conv-unsent" data-item tabIndex={-1} aria-label="You, on its way">
      <header className="conv-who">
        <h2>You</h2>
        <span className={one.state === 'refused' ? 'conv-chip danger' : 'conv-chip'} role="status">
          {wordsFor(one, isBusy)}
        </span>
        {one.state === 'accepted' && isBusy && one.requestId !== undefined && (
          <Button kind="quiet" className="conv-take-back" onClick={() => void callBack(one, one.requestId ?? '')}>
            Take back
          </Button>
        )}
      </header>
      <UserText text={one.text} />
      {one.files.length > 0 && (
        <p className="muted">
          <VisibleText text={one.files.map(({ name }) => name).join(', ')} />
        </p>
      )}
      {one.state === 'refused' && (
        <p className="danger">
          <VisibleText text={one.problem ?? ''} />
        </p>
      )}
      {one.state === 'refused' && (
        <div className="conv-row">
          <Button icon="retry" onClick={() => tryAgain(one.key)}>
            Try again
          </Button>
          <Button icon="edit" onClick={() => takeBack(one)}>
            Edit
          </Button>
          <Button icon="trash" onClick={() => drop(new Set([one.key]))}>
            Discard
          </Button>
        </div>
      )}
    </article>
  ))
}

async function callBack(unsent: Unsent, requestId: string): Promise<void> {
  if (await attempt(cancelRound(requestId))) takeBack(unsent)
}

function wordsFor({ state, place }: Unsent, isBusy: boolean): string {
  switch (state) {
    case 'sending':
      return place.kind === 'fork' ? 'making a fork…' : 'sending…'
    case 'kept':
      return 'kept, will be sent when Segno is back'
    case 'accepted':
      return isBusy ? 'waits for its turn' : 'sending…'
    case 'refused':
      return 'not sent'
  }
}

/** Messages that wait for this conversation and were sent from elsewhere. */
export function OthersWaiting({ sessionId, known }: { sessionId: string; known: readonly Unsent[] }) {
  const path = `/api/rounds?session=${encodeURIComponent(sessionId)}&state=queued`
  const { value } = usePolled<Page<RoundSummary>>(path, 5000)
  const others = (value?.items ?? []).filter((one) => !known.some(({ requestId }) => requestId === one.requestId))
  if (others.length === 0) return null
  return (
    <p className="conv-quiet">
      {others.length === 1 ? 'One more message waits' : `${others.length} more messages wait`} for their turn.
    </p>
  )
}
