import { useId, useState } from 'react'
import type { JsonObject } from '../../../src/contract/message.ts'
import { Button } from '../parts/button.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import type { Answer } from './ask-card.tsx'
import { answerFrom, chosenIn, fieldsOf, type Field } from './question-fields.ts'

/** What a running call wants to know, to be filled in. */
export function QuestionForm({
  args,
  isBusy,
  answer,
}: {
  args: JsonObject
  isBusy: boolean
  answer: (answer: Answer) => void
}) {
  const fields = fieldsOf(args['schema'])
  const [filled, setFilled] = useState<ReadonlyMap<string, string>>(
    () => new Map(fields.map(({ name, first }) => [name, first])),
  )
  const [wrong, setWrong] = useState<{ field: string; problem: string }>()
  const send = (): void => {
    const read = answerFrom(fields, filled)
    if ('problem' in read) return setWrong(read)
    answer({ decision: 'approve', ...(fields.length > 0 && { content: read.content }) })
  }
  return (
    <form
      className="conv-question"
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
      <div className="conv-row">
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

function OneField({
  field,
  value,
  problem,
  change,
}: {
  field: Field
  value: string
  problem: string | undefined
  change: (value: string) => void
}) {
  const id = useId()
  const about = {
    id,
    'aria-required': field.required,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-about`,
  }
  return (
    <div className="conv-field">
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
            <option key={choice.value} value={choice.value}>
              {visibleText(choice.label)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...about}
          className="input"
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <small id={`${id}-about`} className={problem === undefined ? 'muted' : 'danger'}>
        {problem ?? <VisibleText text={field.hint} />}
      </small>
    </div>
  )
}

function Many({ field, value, change }: { field: Field; value: string; change: (value: string) => void }) {
  const chosen = chosenIn(value)
  return (
    <div className="conv-row" role="group" aria-label={visibleText(field.label)}>
      {field.choices.map((choice) => (
        <label key={choice.value} className="conv-row">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ target }) =>
              change(
                JSON.stringify(
                  target.checked ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value),
                ),
              )
            }
          />
          <VisibleText text={choice.label} />
        </label>
      ))}
    </div>
  )
}
