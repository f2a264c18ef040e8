import { useState } from 'react'
import type { MeView } from '../../../../src/client/index.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { ago } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Question } from '../../parts/question.tsx'
import { may } from '../../state/may.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hasWritten, hrefOfPrompt, titleOf, whyNoReview, type Prompt } from './prompt.ts'
import { takeStep } from './prompt-api.ts'
import { Tokens } from './prompt-facts.tsx'
import { Changes, Words } from './changes.tsx'

interface ReviewProps {
  readonly prompt: Prompt
  readonly me: MeView
}

/** A prompt that waits for a review, with what it would change. */
export function ReviewCard({ prompt, me }: ReviewProps) {
  return (
    <li className="op-card loud">
      <h3>
        <Icon name="clock" />
        <a href={hrefOfPrompt(prompt.id)}>{titleOf(prompt)}</a>
      </h3>
      <p className="muted op-facts row wrap">
        <span>
          workspace <VisibleText text={prompt.workspaceId} />
        </span>
        <span>
          by <VisibleText text={prompt.author} />, {ago(prompt.updatedAt)}
        </span>
        <span>
          <Tokens {...prompt} unit=" tokens" />
        </span>
      </p>
      <Changes prompt={prompt} otherwise={<Words prompt={prompt} />} />
      <Review prompt={prompt} me={me} />
    </li>
  )
}

/** Approve and reject, or why not. */
export function Review({ prompt, me }: ReviewProps) {
  const [isAsking, setAsking] = useState<'reject' | 'own'>()
  const [problem, attempt] = useAttempt()
  const why = whyNoReview(me, prompt)
  const isOwn = hasWritten(me, prompt) && may(me, 'prompt:review')
  return (
    <div className="op-actions row wrap">
      {why === undefined ? (
        <>
          <Button kind="primary" icon="check" onClick={() => void attempt(takeStep(prompt, 'approve'))}>
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
          title={`Reject ${titleOf(prompt)}?`}
          go="Reject"
          icon="cross"
          reason="What has to change"
          needed
          run={(reason) => takeStep(prompt, 'reject', reason)}
          onClose={() => setAsking(undefined)}
        >
          <p>It becomes a draft again, and its author reads your reason.</p>
        </Question>
      )}
      {isAsking === 'own' && (
        <Question
          title="Approve your own words?"
          go="Approve it myself"
          run={() => takeStep(prompt, 'approve')}
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
