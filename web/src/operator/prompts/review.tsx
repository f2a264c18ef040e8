import type { MeView } from '../../../../src/client/index.ts'
import { ago } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { ReviewButtons } from '../review-buttons.tsx'
import { hrefOfPrompt, titleOf, type Prompt } from './prompt.ts'
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

export const Review = ({ prompt, me }: ReviewProps) => (
  <ReviewButtons
    title={titleOf(prompt)}
    thing={prompt}
    me={me}
    needs="prompt:review"
    take={(step, reason) => takeStep(prompt, step, reason)}
  />
)
