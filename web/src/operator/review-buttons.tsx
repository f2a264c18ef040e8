import { useState } from 'react'
import type { MeView } from '../../../src/client/index.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Question } from '../parts/question.tsx'
import { may } from '../state/may.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { hasWritten, whyNoReview, type Governed } from './governed.ts'

interface ReviewButtonsProps {
  readonly title: string
  readonly thing: Governed
  readonly me: MeView
  /** the permission to review such a thing */
  readonly needs: string
  readonly take: (step: 'approve' | 'reject', reason?: string) => Promise<void>
}

/** Approve and reject, or why not. */
export function ReviewButtons({ title, thing, me, needs, take }: ReviewButtonsProps) {
  const [isAsking, setAsking] = useState<'reject' | 'own'>()
  const [problem, attempt] = useAttempt()
  const why = whyNoReview(me, needs, thing)
  const isOwn = hasWritten(me, thing) && may(me, needs)
  return (
    <div className="op-actions row wrap">
      {why === undefined ? (
        <>
          <Button kind="primary" icon="check" onClick={() => void attempt(take('approve'))}>
            Approve
          </Button>
          <Button kind="danger" icon="cross" onClick={() => setAsking('reject')}>
            Reject…
          </Button>
        </>
      ) : (
        <span className="muted">{why}</span>
      )}
      {isOwn && <Button onClick={() => setAsking('own')}>I am alone here…</Button>}
      <Problem text={problem} />
      {isAsking === 'reject' && (
        <Question
          title={`Reject ${title}?`}
          go="Reject"
          icon="cross"
          reason="What has to change"
          needed
          run={(reason) => take('reject', reason)}
          onClose={() => setAsking(undefined)}
        >
          <p>It becomes a draft again, and its author reads your reason.</p>
        </Question>
      )}
      {isAsking === 'own' && (
        <Question
          title="Approve your own words?"
          go="Approve it myself"
          run={() => take('approve')}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Better is a second person: make a key for one with{' '}
            <code>segno keys add &quot;a reviewer&quot; --user NAME --role reviewer</code>.
          </p>
          <p>
            Segno allows your own approval only if it was started with <code>SEGNO_FOUR_EYES=off</code> and nobody else
            is in your tenant. It is recorded, and everybody who comes later sees that nobody else looked at it.
          </p>
        </Question>
      )}
    </div>
  )
}

/** Who approved it; loud where that was its own author. */
export function Reviewer({ reviewer, selfApproved }: { reviewer?: string; selfApproved?: true }) {
  if (reviewer === undefined) return '–'
  return (
    <>
      <VisibleText text={reviewer} />
      {selfApproved && (
        <strong className="op-self">
          <Icon name="warn" size={14} /> self-approved
        </strong>
      )}
    </>
  )
}

/** Shown where nobody but the author approved something, and why its last step was taken. */
export function ReviewNotes({
  status,
  reason,
  selfApproved,
}: {
  status: string
  reason?: string
  selfApproved?: true
}) {
  return (
    <>
      {selfApproved && (
        <p className="op-card loud row">
          <Icon name="warn" />
          <span>
            <strong>Self-approved.</strong> Nobody but its author has looked at these words.
          </span>
        </p>
      )}
      {reason !== undefined && (
        <p className="op-note-line">
          {status === 'draft' ? 'Rejected, because: ' : 'Reason: '}
          <VisibleText as="span" text={reason} spaces="prose" />
        </p>
      )}
    </>
  )
}
