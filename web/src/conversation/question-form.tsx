import { useEffect, useId, useRef, useState } from 'react'
import { fieldsOf, readForm, selectedIn, type Decision, type Field } from '../../../src/client/index.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import { Button } from '../parts/button.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'

interface QuestionFormProps {
  readonly args: JsonObject
  readonly isBusy: boolean
  readonly answer: (answer: Decision) => void
}

/** What a running call wants to know, to be filled in. */
export function QuestionForm({ args, isBusy, answer }: QuestionFormProps) {
  const fields = fieldsOf(args['schema'])
  const [filled, setFilled] = useState<ReadonlyMap<string, string>>(
    () => new Map(fields.map(({ name, defaultText }) => [name, defaultText])),
  )
  const [wrong, setWrong] = useState<{ field: string; problem: string }>()
  const form = useRef<HTMLFormElement>(null)
  // It may be out of sight.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-wrong] :is(input, select)')?.focus(), [wrong])
  const send = (): void => {
    const read = readForm(fields, filled)
    if ('problem' in read) return setWrong(read)
    answer({ decision: 'approve', ...(fields.length > 0 && { content: read.content }) })
  }
  return (
    <form
      ref={form}
      className="conv-question column"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      <p className="conv-plain">
        <VisibleText text={typeof args['message'] === 'string' ? args['message'] : ''} spaces="prose" />
      </p>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={filled.get(field.name) ?? ''}
          problem={wrong?.field === field.name ? wrong.problem : undefined}
          change={(value) => setFilled(new Map(filled).set(field.name, value))}
        />
      ))}
      <div className="row wrap">
        <Button kind="primary" icon="check" aria-disabled={isBusy} onClick={send}>
          {fields.length > 0 ? 'Answer' : 'Yes'}
        </Button>
        <Button icon="cross" aria-disabled={isBusy} onClick={() => answer({ decision: 'deny' })}>
          {fields.length > 0 ? 'Decline' : 'No'}
        </Button>
      </div>
    </form>
  )
}

interface OneFieldProps {
  readonly field: Field
  readonly value: string
  readonly problem: string | undefined
  readonly change: (value: string) => void
}

function OneField({ field, value, problem, change }: OneFieldProps) {
  const id = useId()
  const about = {
    id,
    'aria-required': field.required,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-about`,
  }
  return (
    <div data-wrong={problem} className="conv-field column">
      <label htmlFor={id}>
        <VisibleText text={field.label} />
        {field.required && <span className="danger"> (needed)</span>}
      </label>
      {field.kind === 'boolean' ? (
        <input
          {...about}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => change(String(event.target.checked))}
        />
      ) : field.kind === 'many' ? (
        <Many field={field} value={value} change={change} />
      ) : field.kind === 'choice' ? (
        <select {...about} className="input" value={value} onChange={(event) => change(event.target.value)}>
          <option value="">–</option>
          {field.choices.map((choice) => (
            <option key={choice.text} value={choice.text}>
              {visibleText(choice.label)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...about}
          className="input"
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          placeholder={field.format}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <small id={`${id}-about`} className={problem === undefined ? 'muted' : 'danger'}>
        <VisibleText text={problem ?? field.hint} />
      </small>
    </div>
  )
}

function Many({ field, value, change }: { field: Field; value: string; change: (value: string) => void }) {
  const chosen = selectedIn(value)
  return (
    <div className="row wrap" role="group" aria-label={visibleText(field.label)}>
      {field.choices.map((choice) => (
        <label key={choice.text} className="row wrap">
          <input
            type="checkbox"
            checked={chosen.includes(choice.text)}
            onChange={({ target }) =>
              change(
                JSON.stringify(target.checked ? [...chosen, choice.text] : chosen.filter((one) => one !== choice.text)),
              )
            }
          />
          <VisibleText text={choice.label} />
        </label>
      ))}
    </div>
  )
}
