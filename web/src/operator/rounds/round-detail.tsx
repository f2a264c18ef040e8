import { useState } from 'react'
import type { MeView, Page, RoundSummary, WireEvent } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { foldRound } from '../../log/fold-round.ts'
import type { RoundPicture } from '../../log/round-picture.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { moment } from '../../parts/format.ts'
import { may } from '../../state/may.ts'
import { refresh, usePolled } from '../../state/polled.ts'
import { hrefOf } from '../../state/route.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Loading, Stale } from '../list-states.tsx'
import { hrefWith } from '../filters.ts'
import { RoundSteps } from './round-steps.tsx'
import { RoundTrace } from './round-trace.tsx'

/** How a round went. Its texts are only shown to its owner, its trace to those who may read traces. */
export function RoundDetail({ round, me }: { round: RoundSummary; me: MeView }) {
  const { sessionId, requestId } = round
  const isOwn = round.userId === me.id
  const [trace, setTrace] = useState(false)
  return (
    <div>
      <p className="muted op-facts row wrap">
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
      <div className="op-actions row wrap">
        {isOwn && (
          <a className="button" href={hrefOf({ page: 'session', id: sessionId })}>
            Open the conversation
          </a>
        )}
        {isOwn && may(me, 'chat:write') && <RoundActions round={round} />}
        {may(me, 'audit:read') && (
          <a className="button" href={hrefWith('audit', { session: sessionId })}>
            Audit records
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
      <Problem text={picture.finish?.error} />
      <RoundSteps round={picture} />
    </>
  )
}

function RoundActions({ round: { requestId, state } }: { round: RoundSummary }) {
  const [problem, attempt] = useAttempt()
  const act = (what: 'cancel' | 'resume'): void =>
    void attempt(client[what](requestId)).then(() => refresh('/api/rounds'))
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
      <Problem text={problem} />
    </>
  )
}
