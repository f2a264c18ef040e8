import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { wordsOf } from '../../api/problem.ts'
import type { Me, Page, RoundSummary, WireEvent } from '../../api/shapes.ts'
import { foldRound } from '../../log/fold-round.ts'
import type { RoundPicture } from '../../log/round-picture.ts'
import { Button } from '../../parts/button.tsx'
import { moment } from '../../parts/format.ts'
import { may } from '../../state/me.ts'
import { refresh, usePolled } from '../../state/polled.ts'
import { hrefOf } from '../../state/route.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Loading, Stale } from '../faces.tsx'
import { hrefWith } from '../filters.ts'
import { RoundSteps } from './round-steps.tsx'
import { RoundTrace } from './round-trace.tsx'

/** How a round went. What was said in it is for its owner; how its tools were used, for who may read traces. */
export function RoundDetail({ round, me }: { round: RoundSummary; me: Me }) {
  const { sessionId, requestId } = round
  const isOwn = round.userId === me.id
  const [trace, setTrace] = useState(false)
  return (
    <div className="op-round">
      <p className="muted op-facts">
        <span>began {moment(round.startedAt)}</span>
        {round.endedAt && <span>ended {moment(round.endedAt)}</span>}
        <span>{round.protocol}</span>
        {round.mode === 'plan' && <span>plan: only tools without effects</span>}
        <span className="mono">{requestId}</span>
      </p>
      {isOwn && round.state !== 'queued' && <OwnSteps round={round} />}
      {!isOwn && (
        <p>
          This round belongs to <VisibleText text={round.userId} />; what was said in it is theirs alone.
        </p>
      )}
      <div className="op-actions">
        {isOwn && (
          <a className="button" href={hrefOf({ page: 'session', id: sessionId })}>
            Open the conversation
          </a>
        )}
        {isOwn && may(me, 'chat:write') && <RoundActions round={round} />}
        {may(me, 'audit:read') && (
          <a className="button" href={hrefWith('audit', { session: sessionId })}>
            Its audit
          </a>
        )}
        {may(me, 'trace:read') && round.state !== 'queued' && (
          <Button aria-expanded={trace} onClick={() => setTrace(!trace)}>
            {trace ? 'Hide the trace' : 'Trace'}
          </Button>
        )}
      </div>
      {trace && <RoundTrace requestId={requestId} />}
    </div>
  )
}

function OwnSteps({ round: { sessionId, requestId, state } }: { round: RoundSummary }) {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?round=${encodeURIComponent(requestId)}`
  const { value, error } = usePolled<Page<WireEvent>>(path, state === 'ended' ? 60_000 : 2000)
  if (!value) return error === undefined ? <Loading /> : <Stale error={error} />
  const picture: RoundPicture = foldRound(requestId, value.items)
  return (
    <>
      {picture.finish?.error !== undefined && (
        <p className="op-error" role="note">
          <VisibleText text={picture.finish.error} />
        </p>
      )}
      <RoundSteps round={picture} />
    </>
  )
}

function RoundActions({ round: { requestId, state } }: { round: RoundSummary }) {
  const [told, tell] = useState('')
  const act = (what: 'cancel' | 'resume'): void => {
    ask('POST', `/api/rounds/${encodeURIComponent(requestId)}/${what}`)
      .then(() => tell(''))
      .catch((error: unknown) => tell(wordsOf(error)))
      .finally(() => refresh('/api/rounds'))
  }
  if (state === 'ended') return null
  return (
    <>
      {state === 'paused' && (
        <Button icon="play" onClick={() => act('resume')}>
          Resume
        </Button>
      )}
      <Button kind="danger" icon="stop" onClick={() => act('cancel')}>
        Cancel the round
      </Button>
      {told !== '' && (
        <span role="alert">
          <VisibleText text={told} />
        </span>
      )}
    </>
  )
}
