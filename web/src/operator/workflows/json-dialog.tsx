import { useState } from 'react'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { focusFirst } from '../../sessions/focus-first.ts'
import { JsonField } from './json-field.tsx'

interface JsonDialogProps {
  readonly title: string
  readonly value: object
  readonly go: string
  readonly save: (value: object) => Promise<unknown>
  readonly onClose: () => void
}

/** Fields as JSON, as the API takes them; what is wrong with one is said with its name. */
export function JsonDialog({ title, value, go, save, onClose }: JsonDialogProps) {
  const [text, write] = useState(() => JSON.stringify(value, null, 2))
  const [problem, attempt, setProblem] = useAttempt()
  const run = (): void => {
    const read = readJson(text)
    if (read === undefined) setProblem('This is no JSON object. A comma or a quote may be missing.')
    else void attempt(save(read)).then((isDone) => isDone && onClose())
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className="dialog-form column" label={title} run={run}>
        <JsonField
          label={`As JSON; docs/http-api.md has all fields${'workflowId' in value ? ', and the page of a workflow its id' : ''}`}
          rows={12}
          value={text}
          write={write}
          focus={focusFirst}
        />
        <Problem text={problem} />
        <div className="answers row wrap">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            {go}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** An object, or undefined. */
export function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
