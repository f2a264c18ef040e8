import { memo } from 'react'
import { textOf } from '../../../src/contract/message.ts'
import type { RoundPicture, Step } from '../log/round-picture.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { Call } from './call.tsx'
import { RoundEnd } from './round-end.tsx'
import { Turn } from './turn.tsx'
import { neverBegan } from './round-words.ts'
import { titleOf } from './unsent.ts'
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
  const isDeleted = deleted.has(round.user?.eventId ?? '')
  if (neverBegan(round)) {
    return (
      <p className="conv-event" data-seq={round.lastSeq}>
        <Icon name="stop" size={14} />
        {round.user ? (
          <span>
            Cancelled before its turn: “
            <VisibleText text={titleOf(textOf(round.user.content))} />”
          </span>
        ) : (
          <span>A message was cancelled before its turn.</span>
        )}
      </p>
    )
  }
  return (
    <>
      <UserMessage sessionId={sessionId} round={round} isDeleted={isDeleted} />
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
        {stepsOf(round).map((step) => (
          <OneStep
            key={keyOf(step)}
            step={step}
            sessionId={sessionId}
            requestId={round.requestId}
            isOpen={isOpen}
            deleted={deleted}
            hasFailed={round.finish?.reason === 'error'}
          />
        ))}
        {round.steps.length === 0 && round.state === 'running' && <p className="conv-quiet conv-working">working…</p>}
        <RoundEnd sessionId={sessionId} round={round} isLast={isLast} isDeleted={isDeleted} />
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
  hasFailed,
}: {
  step: Step
  sessionId: string
  requestId: string
  isOpen: boolean
  deleted: ReadonlySet<string>
  hasFailed: boolean
}) {
  switch (step.kind) {
    case 'turn':
      return (
        <Turn
          requestId={requestId}
          step={step}
          isOpen={isOpen}
          isDeleted={step.said !== undefined && deleted.has(step.said.eventId)}
          hasFailed={hasFailed}
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

/** A failure is told once: its notice says the same. */
const stepsOf = ({ steps, finish }: RoundPicture): readonly Step[] =>
  finish?.error === undefined ? steps : steps.filter((step) => step.kind !== 'notice' || step.text !== finish.error)

const keyOf = (step: Step): string => (step.kind === 'call' ? `call ${step.callId}` : `${step.kind} ${step.seq}`)
