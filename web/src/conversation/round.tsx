import { memo } from 'react'
import type { RoundPicture, Step } from '../log/round-picture.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { Call } from './call.tsx'
import { RoundEnd } from './round-end.tsx'
import { Turn } from './turn.tsx'
import { UserMessage } from './user-message.tsx'

/** One message and everything up to its answer. Drawn again only when one of its own events comes. */
export const Round = memo(function Round({
  sessionId,
  round,
  deleted,
  isLast,
}: {
  sessionId: string
  round: RoundPicture
  deleted: ReadonlySet<string>
  isLast: boolean
}) {
  const isOpen = round.state !== 'ended'
  return (
    <>
      <UserMessage sessionId={sessionId} round={round} isDeleted={deleted.has(round.user?.eventId ?? '')} />
      <article
        className="conv-message"
        data-item
        tabIndex={-1}
        aria-label="Segno"
        aria-busy={round.state === 'running'}
      >
        <header className="conv-who">
          <h2>Segno</h2>
          {!isOpen && <AnswerActions sessionId={sessionId} round={round} deleted={deleted} />}
        </header>
        {round.steps.map((step) => (
          <OneStep
            key={keyOf(step)}
            step={step}
            sessionId={sessionId}
            requestId={round.requestId}
            isOpen={isOpen}
            deleted={deleted}
          />
        ))}
        {round.steps.length === 0 && round.state === 'running' && <p className="conv-quiet conv-working">working…</p>}
        <RoundEnd sessionId={sessionId} round={round} isLast={isLast} />
      </article>
    </>
  )
})

function OneStep({
  step,
  sessionId,
  requestId,
  isOpen,
  deleted,
}: {
  step: Step
  sessionId: string
  requestId: string
  isOpen: boolean
  deleted: ReadonlySet<string>
}) {
  switch (step.kind) {
    case 'turn':
      return (
        <Turn
          requestId={requestId}
          step={step}
          isOpen={isOpen}
          isDeleted={step.said !== undefined && deleted.has(step.said.eventId)}
        />
      )
    case 'call':
      return <Call sessionId={sessionId} requestId={requestId} call={step} isOpen={isOpen} />
    case 'notice':
      return (
        <p className="conv-quiet" data-seq={step.seq}>
          <Icon name="warn" size={14} />
          <VisibleText text={step.text} spaces="prose" />
        </p>
      )
  }
}

const keyOf = (step: Step): string => (step.kind === 'call' ? `call ${step.callId}` : `${step.kind} ${step.seq}`)
