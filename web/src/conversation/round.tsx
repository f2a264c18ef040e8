import { memo } from 'react'
import { textOf } from '../../../src/contract/message.ts'
import type { RoundPicture, Step } from '../log/round-picture.ts'
import { IconButton } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { forkSession } from '../sessions/session-actions.ts'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Call } from './call.tsx'
import { RoundEnd } from './round-end.tsx'
import { SummaryLine } from './summary-line.tsx'
import { Turn } from './turn.tsx'
import { answerOf, neverBegan } from './round-words.ts'
import { attempt } from './trouble.ts'
import { titleOf } from './unsent.ts'
import { UserMessage } from './user-message.tsx'

interface RoundProps {
  readonly round: RoundPicture
  /** ids of messages that were deleted */
  readonly deleted: ReadonlySet<string>
  readonly isLast: boolean
}

/** One message and everything up to its answer. Drawn again only when it gets a new event. */
export const Round = memo(function Round({ round, deleted, isLast }: RoundProps) {
  const { id } = useSession()
  const isOpen = round.state !== 'ended'
  const isDeleted = deleted.has(round.user?.eventId ?? '')
  if (neverBegan(round)) {
    return (
      <p className="row conv-event" data-seq={round.lastSeq}>
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
      <UserMessage round={round} isDeleted={isDeleted} />
      <article
        className="conv-message"
        data-item
        tabIndex={-1}
        aria-label="Segno"
        aria-busy={round.state === 'running'}
      >
        <header className="conv-who row">
          <h2>Segno</h2>
          {!isOpen && (
            <span className="conv-actions">
              <CopyButton label="Copy answer" text={() => answerOf(round, deleted)} />
              <IconButton
                label="Fork from here"
                icon="fork"
                onClick={() => void attempt(forkSession(id, round.lastSeq))}
              />
            </span>
          )}
        </header>
        {stepsOf(round).map((step) => (
          <OneStep key={keyOf(step)} step={step} round={round} deleted={deleted} />
        ))}
        {round.steps.length === 0 && round.state === 'running' && (
          <p className="row conv-quiet conv-working">working…</p>
        )}
        <RoundEnd round={round} isLast={isLast} isDeleted={isDeleted} />
      </article>
    </>
  )
})

function OneStep({ step, round, deleted }: { step: Step; round: RoundPicture; deleted: ReadonlySet<string> }) {
  const { requestId } = round
  const isOpen = round.state !== 'ended'
  switch (step.kind) {
    case 'turn':
      return (
        <Turn
          requestId={requestId}
          step={step}
          isOpen={isOpen}
          isDeleted={step.said !== undefined && deleted.has(step.said.eventId)}
          hasFailed={round.finish?.reason === 'error'}
          isJson={round.begun?.params?.output !== undefined}
        />
      )
    case 'call':
      return <Call requestId={requestId} call={step} isOpen={isOpen} />
    case 'summary':
      return <SummaryLine seq={step.seq} summary={step} />
    case 'notice':
      return (
        <p className="row conv-quiet" data-seq={step.seq}>
          <Icon name="warn" size={14} />
          <VisibleText text={step.text} spaces="prose" />
        </p>
      )
  }
}

/** Leaves out the notice that repeats the error. */
const stepsOf = ({ steps, finish }: RoundPicture): readonly Step[] =>
  finish?.error === undefined ? steps : steps.filter((step) => step.kind !== 'notice' || step.text !== finish.error)

const keyOf = (step: Step): string => (step.kind === 'call' ? `call ${step.callId}` : `${step.kind} ${step.seq}`)
