import type { Page, RoundSummary } from '../../../src/client/index.ts'
import { Button } from '../parts/button.tsx'
import { client } from '../api/client.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { drop, takeBack, tryAgain } from './outbox.ts'
import { attempt } from './trouble.ts'
import { isWhole, type Unsent } from './unsent.ts'
import { UserText } from './user-message.tsx'

/** Messages that are not in the log yet, with their state. */
export function UnsentList({ unsent, isBusy }: { unsent: readonly Unsent[]; isBusy: boolean }) {
  return unsent.map((one) => (
    <article key={one.key} className="conv-message conv-unsent" data-item tabIndex={-1} aria-label="You, on its way">
      <header className="conv-who row">
        <h2>You</h2>
        <span className={one.state === 'refused' ? 'chip danger' : 'chip'} role="status">
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
        <VisibleText as="p" className="muted" text={one.files.map(({ name }) => name).join(', ')} />
      )}
      {one.problem !== undefined && (
        <VisibleText as="p" className={one.state === 'refused' ? 'danger' : 'muted'} text={one.problem} />
      )}
      {(one.state === 'refused' || one.state === 'kept') && <WaysOut unsent={one} />}
    </article>
  ))
}

function WaysOut({ unsent }: { unsent: Unsent }) {
  return (
    <div className="row wrap">
      {isWhole(unsent) && (
        <Button icon="retry" onClick={() => tryAgain(unsent)}>
          Try again
        </Button>
      )}
      <Button icon="edit" onClick={() => takeBack(unsent)}>
        Edit
      </Button>
      <Button icon="trash" onClick={() => drop(new Set([unsent.key]))}>
        Discard
      </Button>
      {unsent.state === 'kept' && unsent.problem === undefined && (
        <small>It may have arrived already: Edit and Discard do not undo that.</small>
      )}
    </div>
  )
}

async function callBack(unsent: Unsent, requestId: string): Promise<void> {
  if (await attempt(client.cancel(requestId))) takeBack(unsent)
}

function wordsFor({ state, place, problem }: Unsent, isBusy: boolean): string {
  switch (state) {
    case 'sending':
      return place.kind === 'fork' ? 'making a fork…' : 'sending…'
    case 'kept':
      return problem === undefined ? 'kept, will be sent when Segno is back' : 'kept, is tried again'
    case 'accepted':
      return isBusy ? 'waits for its turn' : 'sending…'
    case 'refused':
      return 'not sent'
  }
}

/** How many messages from other tabs or clients wait in this conversation. */
export function OthersWaiting({ sessionId, known }: { sessionId: string; known: readonly Unsent[] }) {
  const path = `/api/rounds?session=${encodeURIComponent(sessionId)}&state=queued`
  const { value } = usePolled<Page<RoundSummary>>(path, 5000)
  const others = (value?.items ?? []).filter((one) => !known.some(({ requestId }) => requestId === one.requestId))
  if (others.length === 0) return null
  return (
    <p className="row conv-quiet">
      {others.length === 1 ? 'One more message waits' : `${others.length} more messages wait`} for their turn.
    </p>
  )
}
