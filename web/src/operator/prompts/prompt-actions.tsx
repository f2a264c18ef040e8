import { useState } from 'react'
import type { MeView } from '../../../../src/client/index.ts'
import { changeDraft } from '../../conversation/drafts.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Question } from '../../parts/question.tsx'
import { deedsFor, hrefOfPrompt, titleOf, type Prompt } from './prompt.ts'
import { makePrompt, takeStep } from './prompt-api.ts'
import { placeOf } from './prompt-form.tsx'
import { TryPrompt } from './try-prompt.tsx'

const FACES = {
  edit: ['edit', 'Edit'],
  try: ['fork', 'Try it…'],
  submit: ['send', 'Submit for review'],
  activate: ['play', 'Make it active…'],
  copy: ['copy', 'New version'],
  deprecate: ['archive', 'Deprecate…'],
} as const satisfies Record<string, readonly [IconName, string]>

/** The buttons for what can be done with a prompt now. */
export function Actions({ prompt, me }: { prompt: Prompt; me: MeView }) {
  const [asking, ask] = useState<keyof typeof FACES>()
  const [problem, attempt] = useAttempt()
  const close = (): void => ask(undefined)
  const copy = async (): Promise<void> => {
    const { workspaceId, name, content } = prompt
    const made = await makePrompt({ workspaceId, name, content })
    changeDraft(placeOf(made.id), { text: content })
    location.hash = hrefOfPrompt(made.id)
  }
  const run = (deed: keyof typeof FACES): void => {
    if (deed === 'edit') changeDraft(placeOf(prompt.id), { text: prompt.content })
    else if (deed === 'submit') void attempt(takeStep(prompt, 'submit'))
    else if (deed === 'copy') void attempt(copy())
    else ask(deed)
  }
  return (
    <div className="op-actions row wrap">
      {deedsFor(me, prompt).map((deed) => {
        const [icon, words] = FACES[deed as keyof typeof FACES]
        return (
          <Button
            key={deed}
            icon={icon}
            kind={deed === 'deprecate' ? 'danger' : deed === 'submit' || deed === 'activate' ? 'primary' : 'plain'}
            onClick={() => run(deed as keyof typeof FACES)}
          >
            {words}
          </Button>
        )
      })}
      <Problem text={problem} />
      {asking === 'try' && <TryPrompt prompt={prompt} onClose={close} />}
      {asking === 'activate' && (
        <Question
          title={`Make ${titleOf(prompt)} active?`}
          go="Make it active"
          isHarmless
          reason="Why (optional)"
          run={(reason) => takeStep(prompt, 'activate', reason)}
          onClose={close}
        >
          <p>
            From their next message on, all conversations of this workspace get these words. What is active now becomes
            deprecated, and can be made active again.
          </p>
        </Question>
      )}
      {asking === 'deprecate' && (
        <Question
          title={`Deprecate ${titleOf(prompt)}?`}
          go="Deprecate"
          icon="archive"
          reason="Why (optional)"
          run={(reason) => takeStep(prompt, 'deprecate', reason)}
          onClose={close}
        >
          <p>
            This workspace then has no active prompt: its conversations get that of <code>system</code>, or else what
            the settings say. It can be made active again.
          </p>
        </Question>
      )}
    </div>
  )
}
