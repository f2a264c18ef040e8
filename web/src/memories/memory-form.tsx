import { useState } from 'react'
import { MEMORY_CATEGORIES, MEMORY_CHARS } from '../../../src/contract/memory.ts'
import { Field, Select } from '../operator/field.tsx'
import { Form } from '../parts/form.tsx'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import type { Written } from './memory-api.ts'

interface MemoryFormProps {
  readonly memory?: Written
  readonly go: string
  readonly save: (written: Written) => Promise<unknown>
  readonly close: () => void
}

/** A memory to be written. */
export function MemoryForm({ memory, go, save, close }: MemoryFormProps) {
  const [written, write] = useState<Written>(memory ?? { content: '', category: 'fact', importance: 5 })
  const [problem, attempt] = useAttempt()
  const content = written.content.trim()
  return (
    <Form
      className="mem-form column"
      label="Memory"
      run={() => {
        if (content !== '') void attempt(save({ ...written, content })).then((isDone) => isDone && close())
      }}
    >
      <Field label="What to remember">
        {(id) => (
          <textarea
            id={id}
            className="input"
            rows={2}
            maxLength={MEMORY_CHARS}
            autoFocus
            value={written.content}
            onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
            onChange={(event) => write({ ...written, content: event.target.value })}
            onKeyDown={(event) => {
              // It is one fact, so there is no line to begin.
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        )}
      </Field>
      <div className="dialog-two">
        <Select
          label="Kind"
          options={MEMORY_CATEGORIES.map((name) => [name, name])}
          value={written.category}
          choose={(category) => write({ ...written, category: category as Written['category'] })}
        />
        <Field label="Importance, 1 to 10">
          {(id) => (
            <input
              id={id}
              type="number"
              className="input"
              min={1}
              max={10}
              required
              value={written.importance}
              onChange={(event) => write({ ...written, importance: event.target.valueAsNumber })}
            />
          )}
        </Field>
      </div>
      <Problem text={problem} />
      <div className="row wrap">
        <Button kind="primary" type="submit" disabled={content === ''}>
          {go}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Form>
  )
}
