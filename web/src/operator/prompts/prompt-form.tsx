import { useState, type ReactNode } from 'react'
import { changeDraft, dropDraft, useDraft } from '../../conversation/drafts.ts'
import { Form } from '../../parts/form.tsx'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../field.tsx'

/** Words that are being written are kept in the browser under this name, also when the page is loaded again. */
export const placeOf = (promptId: string): string => `prompt/${promptId}`

interface PromptFormProps {
  readonly place: string
  readonly name: string
  readonly go: string
  readonly save: (written: { name: string; content: string }) => Promise<unknown>
  readonly cancel: () => void
  readonly children?: ReactNode
}

/** The name and the words of a prompt, to be written. */
export function PromptForm({ place, name, go, save, cancel, children }: PromptFormProps) {
  const content = useDraft(place)?.text ?? ''
  const [written, setName] = useState(name)
  const [problem, attempt] = useAttempt()
  const isReady = written.trim() !== '' && content.trim() !== ''
  return (
    <Form
      className="op-prompt-form column"
      label="Prompt"
      run={() => {
        if (!isReady) return
        void attempt(save({ name: written.trim(), content })).then((isDone) => isDone && dropDraft(place))
      }}
    >
      {children}
      <Field label="Name">
        {(id) => (
          <input
            id={id}
            className="input"
            maxLength={200}
            value={written}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="What the assistant is told">
        {(id) => (
          <textarea
            id={id}
            className="input op-prompt-words"
            rows={16}
            value={content}
            onChange={(event) => changeDraft(place, { text: event.target.value })}
          />
        )}
      </Field>
      <Problem text={problem} />
      <div className="row wrap">
        <Button kind="primary" type="submit" disabled={!isReady}>
          {go}
        </Button>
        <Button
          onClick={() => {
            dropDraft(place)
            cancel()
          }}
        >
          Cancel
        </Button>
      </div>
    </Form>
  )
}
